"""`tactile-bridge fleet upgrade`, with the programs of two versions."""

import os
import signal
import socketserver
import subprocess
import sys
import threading
import time

from brokers import Mosquittos
from client import PASSWORD
from machines import wait
from stage import Stage

HOSTS = ["attic", "cellar", "hall"]  # one wave each, in this order
KINDS = ("tap", "belt", "robot")
DEVICES = {f"{kind}-{host}": (kind, host) for host in HOSTS for kind in KINDS}
BAD = "cellar"
# Stands for ssh and apt: asks the server of the scene to install the version, and prints its answer.
HOOK = """#!{python}
import socket, sys
line = socket.socket(socket.AF_UNIX)
line.connect({path!r})
line.sendall(" ".join(sys.argv[1:]).encode() + b"\\n")
*said, status = line.makefile().read().splitlines()
print(*said, sep="\\n")
sys.exit(int(status))
"""


def waves(work, programs, options):
    """An upgrade in waves stops at a bad version in the second wave and rolls it back; then all hosts are upgraded"""
    from scenes import Lacking
    if not options["--twin"]:
        raise Lacking("no --twin FOLDER with tactile-bridge of another version")
    with Stage(work, programs, HOSTS, DEVICES, Mosquittos, ["broker-a"], old=options["--twin"]) as stage:
        site = Site(work, stage, programs / "tactile-bridge", {version(folder): path for folder, path in (
            (options["--twin"], "/opt/old/tactile-bridge"), (programs, "/opt/new/tactile-bridge"))})
        old, new = site.programs
        for host in stage.hosts.values():
            host.configure(site.configuration(host.name))
            host.start(site.programs[old])
        stage.expect_devices()

        planned = site.upgrade(new, "--dry-run")
        assert planned.wait(30) == 0 and not site.calls, planned.text
        assert [line.split()[:2] for line in planned.text.splitlines()[1:]] == [
            [str(number), host] for number, host in enumerate(HOSTS, 1)], planned.text

        # The new version does not find its adapter on the host of the second wave.
        site.bad, since, begun = BAD, len(stage.watcher.seen), time.monotonic()
        first = site.upgrade(new)
        assert first.wait(180) == 1, first.text
        assert site.calls == [("attic", new), (BAD, new), (BAD, old)], site.calls
        for said in (f"{BAD} | installing {new}", f"{BAD}: offline: belt-{BAD} was online before",
                     "Stopped in wave 2 of 3.", f"upgraded to {new}: attic", f"rolled back to {old}: {BAD}",
                     "not upgraded: hall"):
            assert said in first.text, (said, first.text)
        site.expect_versions(attic=new, cellar=old, hall=old)
        site.expect_all()
        site.expect_online("hall", since)
        # The devices of the first wave were away during their own wave only.
        site.expect_online("attic", since_time(stage, first.time_of("wave 2 of 3: cellar")))
        print(f"   a bad version in the second wave: stopped and rolled back after {time.monotonic() - begun:.0f} s; "
              "the devices of the other hosts stayed online")

        site.bad, site.calls = None, []
        second = site.upgrade(new)
        assert second.wait(180) == 0, second.text
        assert site.calls == [(BAD, new), ("hall", new)], site.calls
        site.expect_versions(attic=new, cellar=new, hall=new)
        site.expect_all()

        # An interrupt while a hook runs.
        site.calls, site.slow = [], threading.Event()
        third = site.upgrade(old, "--wave", "2")
        wait("both hooks", lambda: len(site.calls) == 2, 60)
        third.process.send_signal(signal.SIGINT)
        wait("a report of the interrupt", lambda: "Interrupted:" in third.text)
        site.slow.set()
        assert third.wait(60) == 1, third.text
        assert "Interrupted in wave 1 of 2." in third.text, third.text
        site.expect_versions(attic=old, cellar=old, hall=new)
        site.expect_all()
        print("   an interrupt while hooks run: they finish, and no host stays drained")


def version(folder):
    """The version of the program in a folder, as fleet ls shows it."""
    return subprocess.check_output([folder / "tactile-bridge", "--version"], text=True).split()[-1]


def since_time(stage, moment):
    """The index of the first message after a time."""
    return next((index for index, message in enumerate(stage.watcher.seen) if message.time > moment),
                len(stage.watcher.seen))


class Site:
    """Installs versions on the hosts for the hook, and runs the command on the operator's computer."""

    def __init__(self, work, stage, program, programs):
        """`program` is the operator's, and `programs` maps a version to its program on the hosts."""
        self.stage, self.program, self.programs = stage, program, programs
        self.bad, self.slow, self.calls = None, None, []
        path = str(work / "site")
        self.hook = work / "hook"
        self.hook.write_text(HOOK.format(python=sys.executable, path=path))
        self.hook.chmod(0o755)
        site = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                host, wanted = self.rfile.readline().decode().split()
                self.wfile.write(f"installing {wanted}\n".encode())
                try:
                    site.install(host, wanted)
                    self.wfile.write(b"0\n")
                except Exception as error:
                    self.wfile.write(f"{error}\n1\n".encode())

        server = socketserver.ThreadingUnixStreamServer(path, Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        stage.stack.callback(server.shutdown)

    def configuration(self, name, adapters=""):
        text = self.stage.configuration(name, ["broker-a"], True) + "bridge: { stats_interval_s: 1 }\n"
        return text.replace("join: configured", f"join: configured{adapters}")

    def install(self, name, wanted):
        """Stops the bridge, and starts the program of a version, with the configuration that belongs to it."""
        self.calls.append((name, wanted))
        if self.slow:
            self.slow.wait(60)
        host = self.stage.hosts[name]
        host.stop()
        is_bad = name == self.bad and wanted == list(self.programs)[1]
        host.configure(self.configuration(name, ", adapters: [hci9]" if is_bad else ""))
        host.start(self.programs[wanted])

    def upgrade(self, wanted, *options):
        return Command([self.program, "fleet", "upgrade", "--to", wanted,
                        "--hook", self.hook, "--wave", "1", "--wait", "5s", "--timeout", "30s", *options],
                       self.stage.brokers.addresses[0])

    def expect_versions(self, **wanted):
        """Each bridge has its version and does not drain."""
        for host, expected in wanted.items():
            info = self.stage.watcher.newest(f"bridge/{host}/info").json
            assert (info["version"], info["draining"]) == (expected, False), (host, info)

    def expect_all(self):
        """Waits until every device is online."""
        def absent():
            return [device for device in DEVICES
                    if self.stage.watcher.newest(f"{device}/availability").payload != "online"]
        wait("all devices", lambda: not absent(), 30)

    def expect_online(self, host, since):
        """No device of a host was offline."""
        for kind in KINDS:
            said = [message.payload for message in self.stage.watcher.seen[since:]
                    if message.topic == f"{kind}-{host}/availability"]
            assert "offline" not in said, f"{kind}-{host}: {said}"


class Command:
    """A running command, and its lines with their times."""

    def __init__(self, words, broker):
        self.lines = []
        self.process = subprocess.Popen(
            [str(word) for word in words], text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=os.environ | {
                "TACTILE_BRIDGE_MQTT_HOST": broker, "TACTILE_BRIDGE_MQTT_USERNAME": "typist",
                "TACTILE_BRIDGE_MQTT_PASSWORD": PASSWORD})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.rstrip("\n")))

    @property
    def text(self):
        return "\n".join(line for _, line in self.lines)

    def time_of(self, start):
        return next(moment for moment, line in self.lines if line.startswith(start))

    def wait(self, seconds):
        status = self.process.wait(seconds)
        self.reader.join(5)
        return status
