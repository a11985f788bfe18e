"""Simulated machines, for tests that need several hosts. Each has a name, processes, a bus and its own file system, a
temporary layer over a system. `tactile-simulator air` simulates devices between them.

Tests/Fleet gives them a network, and Tests/Tutorials the steps of a tutorial. Needs root, and mount namespaces.
"""

import json
import os
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

# In a separate mount namespace: a layer over a system, a separate /run, the specified folders, and the installed
# files.
SETUP = """
set -eu
place=$1 name=$2 system=$3 hosts=$4 install=$5
shift 5
mount --make-rprivate /
cd "$place"
mount -t tmpfs -o mode=755 layer layer
mkdir layer/upper layer/work
mount -t overlay -o lowerdir="$system",upperdir=layer/upper,workdir=layer/work layer root
cd root
for path in proc dev sys; do mount --rbind /$path $path; done
mount --bind "$place/run" run
hostname "$name"
cp "$hosts" etc/hosts
echo "$name" >etc/hostname
while [ $# -gt 0 ]; do
	mkdir -p "$2"
	mount --bind "$1" "$2"
	shift 2
done
eval "$install"
mkdir -p .old
pivot_root . .old
cd /
umount -l /.old
echo ready
exec sleep infinity
"""

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


class Missing(TimeoutError):
    """The error of a wait that timed out."""


def wait(what, is_there, seconds=15.0, interval=0.02):
    """Waits for a condition, and returns its value."""
    end = time.monotonic() + seconds
    while not (value := is_there()):
        if time.monotonic() > end:
            raise Missing(f"not within {seconds} s: {what}")
        time.sleep(interval)
    return value


class Machine:
    """A machine. `place` contains its layer and its /run. `hosts` is its /etc/hosts. `folders` are pairs of a folder
    here and its path there. `install` is a shell line that runs in its root before the root is sealed. `within` is
    the start of a command that enters other namespaces first."""

    def __init__(self, name, place, hosts, system="/", folders=(), install="", within=()):
        self.name, self.place = name, Path(place)
        for path in ("layer", "root", "run/dbus"):
            (self.place / path).mkdir(parents=True)
        self.keeper = subprocess.Popen(
            [*within, "unshare", "--mount", "--uts", "sh", "-c", SETUP, "sh", self.place, name, system, hosts, install,
             *(str(word) for pair in folders for word in pair)],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        if self.keeper.stdout.readline() != "ready\n":
            raise OSError(f"the machine {name} cannot be made: see above")
        self.namespace = os.stat(f"/proc/{self.keeper.pid}/ns/mnt").st_ino

    def inside(self, *more):
        """The start of a command that runs on the machine; its process id is that of Popen."""
        return ["nsenter", f"--target={self.keeper.pid}", "--mount", "--uts", *more, "--root", "--wdns=/root"]

    def processes(self):
        """The processes on the machine, except its keeper. An ended process stays as a zombie if no parent waits for
        it."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "ns/mnt").stat().st_ino == self.namespace and folder.name != str(self.keeper.pid):
                    if " Z " not in (folder / "stat").read_text().rsplit(")", 1)[1][:3]:
                        yield int(folder.name)
            except OSError:
                pass  # it has ended

    def signal(self, number):
        """Sends a signal to all processes on the machine."""
        for process in self.processes():
            try:
                os.kill(process, number)
            except ProcessLookupError:
                pass

    def kill(self):
        """Kills all processes on the machine at once."""
        self.signal(signal.SIGKILL)
        wait(f"the end of {self.name}", lambda: not any(True for _ in self.processes()))

    def end(self):
        self.kill()
        self.keeper.kill()
        self.keeper.wait()


class Bus:
    """The system bus of a machine, which every user may use without restriction."""

    def __init__(self, machine):
        self.path = machine.place / "run/dbus/system_bus_socket"
        configuration = machine.place / "bus.conf"
        configuration.write_text(BUS.format(path=self.path))
        # dbus-daemon warns of a limit that it may not raise.
        self.process = subprocess.Popen(["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={configuration}"],
                                        stderr=subprocess.DEVNULL)
        wait(f"the bus of {machine.name}", self.path.exists)

    def end(self):
        self.process.kill()
        self.process.wait()


class Air:
    """`tactile-simulator air` between machines, and its reports with their times; `lines` are the same as text."""

    def __init__(self, simulator, scenario, buses):
        """`buses` maps the names of machines to their buses."""
        self.lines, self.reports, self.marks = [], [], 0
        self.process = subprocess.Popen(
            [simulator, "air", "--json", "--scenario", scenario,
             *(f"--host={name}=unix:path={bus.path}" for name, bus in buses.items())],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self.read, daemon=True).start()
        self.expect("the air", lambda report: report.get("event") == "ready", seconds=30)

    def read(self):
        for line in self.process.stdout:
            try:
                report = json.loads(line)
            except ValueError:
                report = {"event": "text", "text": line.rstrip()}
            self.lines.append(line.rstrip())
            self.reports.append((time.monotonic(), report))

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def act(self, line):
        """Types a line, and requires that it is valid: the error about a second, invalid line comes after all
        answers to the first."""
        self.marks += 1
        since, mark = len(self.reports), f"mark-{self.marks}"
        self.type(line)
        self.type(mark)
        complaints = []

        def is_answered(report):
            if report.get("event") != "error":
                return False
            if f"'{mark}'" in report["message"]:
                return True
            complaints.append(report["message"])
            return False

        self.expect(f"an answer to the line: {line}", is_answered, since)
        if complaints:
            raise OSError(f"the air does not take the line: {line}: {'; '.join(complaints)}")

    def expect(self, what, matches, since=0, seconds=15.0):
        """Waits for a report, from an index on; returns its time and the report."""
        return self.reports[self.find(what, lambda index: matches(self.reports[index][1]), since, seconds)]

    def expect_line(self, shown, since=0):
        """Waits for a report that contains a text, in which … matches anything; returns the index after it."""
        wanted = re.compile(".*".join(map(re.escape, shown.split("…"))))
        return self.find(f"the air reports {shown}", lambda index: wanted.search(self.lines[index]), since) + 1

    def find(self, what, matches, since=0, seconds=15.0):
        position = since

        def find():
            nonlocal position
            while position < len(self.reports):
                position += 1
                if matches(position - 1):
                    return position
            return None

        try:
            return wait(what, find, seconds, 0.002) - 1
        except Missing as error:
            raise Missing(f"{error}; the newest reports: {[report for _, report in self.reports[-4:]]}") from None

    def wheels(self, device, since=0):
        """The events of a robot's wheels: the time, and whether they turn."""
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
