"""The hosts of a fleet: bridges, each on its own machine and bus."""

import signal

from client import PASSWORD
from machines import Bus

FOLDERS = {"STATE_DIRECTORY": "/var/lib/tactile-bridge", "RUNTIME_DIRECTORY": "/run/tactile-bridge",
           "CREDENTIALS_DIRECTORY": "/etc/credstore"}


class Host:
    """A machine with a bus and a bridge."""

    def __init__(self, network, name, programs):
        self.name = name
        self.machine = network.machine(name, folders=[(folder, f"opt/{what}") for what, folder in programs.items()])
        self.machine.run("rm -rf /etc/tactile-bridge /etc/credstore /var/lib/tactile-bridge;"
                         "mkdir -p /etc/tactile-bridge /run/dbus /run/tactile-bridge /var/lib/tactile-bridge;"
                         "ln -sf /opt/new/tactile-bridge /usr/bin/tactile-bridge")
        self.machine.write("/etc/credstore/mqtt-password", PASSWORD, mode="600")
        self.bridge = self.logs = None
        self.bus = Bus(self.machine)

    def configure(self, text):
        self.machine.write("/etc/tactile-bridge/tactile-bridge.yaml", text)

    def start(self, program="/usr/bin/tactile-bridge"):
        """Starts the bridge, as its unit does."""
        self.logs = open(self.machine.place / "log", "a")
        self.bridge = self.machine.start([program, "run"], FOLDERS, stdout=self.logs)

    def stop(self, how=signal.SIGTERM, seconds=20):
        self.bridge.send_signal(how)
        self.bridge.wait(seconds)

    def log(self):
        return (self.machine.place / "log").read_text()

    def processor_seconds(self):
        """The processor time of the bridge's process, without its guardian."""
        fields = open(f"/proc/{self.bridge.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def end(self):
        self.bus.end()
