"""The hosts of a fleet: bridges, each on a machine and a bus of its own, and the air between them."""

import json
import signal
import subprocess
import threading
import time

from client import PASSWORD
from network import Missing, wait

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path={path}</listen>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_type="signal"/>
    <allow send_type="method_return"/><allow send_type="error"/><allow receive_type="method_call"/>
    <allow receive_type="method_return"/><allow receive_type="error"/><allow receive_type="signal"/>
  </policy>
</busconfig>
"""
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
        (self.machine.place / "bus.conf").write_text(BUS.format(path=self.bus))
        # It complains of a limit that it may not raise.
        self.bus_process = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={self.machine.place}/bus.conf"],
            stderr=subprocess.DEVNULL)
        wait(f"the bus of {name}", self.bus.exists)

    @property
    def bus(self):
        return self.machine.place / "run/dbus/system_bus_socket"

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
        """What the bridge's process has used, and its guardian not."""
        fields = open(f"/proc/{self.bridge.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def end(self):
        self.bus_process.kill()
        self.bus_process.wait()


class Air:
    """`tactile-simulator air` between hosts, and what it reports."""

    def __init__(self, simulator, scenario, hosts):
        buses = [f"--host={host.name}=unix:path={host.bus}" for host in hosts]
        self.reports = []
        self.process = subprocess.Popen(
            [simulator, "air", "--json", "--scenario", scenario, *buses],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self.read, daemon=True).start()
        self.expect("the air", lambda report: report.get("event") == "ready", seconds=30)

    def read(self):
        for line in self.process.stdout:
            try:
                self.reports.append((time.monotonic(), json.loads(line)))
            except ValueError:
                self.reports.append((time.monotonic(), {"event": "text", "text": line.rstrip()}))

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def expect(self, what, matches, since=0, seconds=15.0):
        """Waits for a report, from an index on; returns when it came, and the report."""
        position = since

        def find():
            nonlocal position
            while position < len(self.reports):
                report = self.reports[position]
                position += 1
                if matches(report[1]):
                    return report
            return None

        try:
            return wait(what, find, seconds, 0.002)
        except Missing as error:
            raise Missing(f"{error}; the newest reports: {[report for _, report in self.reports[-4:]]}") from None

    def wheels(self, device, since=0):
        """What a robot's wheels did: when, and whether they turn."""
        for moment, report in self.reports[since:]:
            if report.get("event") == "wheels" and report.get("device") == device:
                yield moment, turns(report)

    def holders(self):
        """The host that holds each device now."""
        held = {}
        for _, report in self.reports:
            if report.get("event") == "link":
                if report["connected"]:
                    held[report["device"]] = report["host"]
                elif held.get(report["device"]) == report["host"]:
                    del held[report["device"]]
        return held

    def expect_wheels(self, device, turning, since=0, seconds=15.0):
        return self.expect(
            f"wheels of {device} {'turn' if turning else 'stand'}",
            lambda report: report.get("event") == "wheels" and report.get("device") == device
            and turns(report) == turning, since, seconds)[0]

    def end(self):
        self.process.kill()
        self.process.wait()


def turns(report):
    return any(float(report[wheel]) != 0 for wheel in ("left_front", "right_front", "left_rear", "right_rear"))
