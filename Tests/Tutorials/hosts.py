"""Hosts that are not there: each has a name, a file system and a bus of its own, and they share a network
that ends at this machine. What they write goes into a layer over this machine's own system, which is thrown
away.

What a tutorial does with systemd, apt, sudo and ssh is replaced, by the scripts in `stand-ins`: each says so
in a file, which `Hosts.replaced` reads. The rest runs as it is printed.
"""

import os
import queue
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent

# In a mount namespace of its own: a layer over /, and in it what the packages would have installed.
SETUP = """
set -eu
work=$1 name=$2 programs=$3 place=$4
mount --make-rprivate /
cd "$work/$name"
mount -t tmpfs -o mode=755 layer layer
mkdir layer/upper layer/work layer/run
mount -t overlay -o lowerdir=/,upperdir=layer/upper,workdir=layer/work layer root
cd root
for path in proc dev sys; do mount --rbind /$path $path; done
mount --bind "$work/$name/run" run
mount --bind "$work/tmp" tmp
mount --bind "$place" mnt
hostname "$name"
cp "$work/hosts" etc/hosts
rm -rf etc/tactile-bridge etc/mosquitto/conf.d/* etc/credstore var/lib/tactile-bridge root/.config root/.bash*
mkdir -p usr/share/tactile-bridge usr/share/doc/tactile-bridge etc/tactile-bridge/conf.d etc/credstore
mkdir -m 755 etc/tactile-bridge/devices
cp mnt/config/tactile-bridge.yaml etc/tactile-bridge/
cp -r mnt/config/patterns etc/tactile-bridge/
cp -r mnt/config/devices usr/share/tactile-bridge/
cp -r mnt/deploy/brokers usr/share/doc/tactile-bridge/
cp mnt/deploy/systemd/tactile-bridge.service lib/systemd/system/
cp mnt/Tests/Tutorials/stand-ins/* usr/local/bin/
mkdir opt/programs
mount --bind "$programs" opt/programs
ln -sf /opt/programs/tactile-bridge usr/bin/tactile-bridge
chown -R 0:0 etc/tactile-bridge
chmod -R go-w etc/tactile-bridge usr/share/tactile-bridge
umount mnt
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


# What a shell says behind each command.
END = "-- the command has ended:"


class Lines:
    """What a process prints, line by line."""

    def __init__(self, process):
        self.process, self.lines = process, queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def next(self, seconds, otherwise):
        try:
            return self.lines.get(timeout=max(0, seconds))
        except queue.Empty:
            raise TimeoutError(otherwise) from None


class Hosts:
    """Some hosts, and the air between them; ended when the `with` block is."""

    def __init__(self, names, programs, scenario, work):
        self.names, self.work, self.programs = names, Path(work), str(Path(programs).resolve())
        self.processes, self.keepers, self.shells, self.seen = [], {}, {}, 0
        (self.work / "tmp").mkdir(mode=0o1777)
        addresses = [f"127.0.0.{number} {name}" for number, name in enumerate(names, 11)]
        (self.work / "hosts").write_text("\n".join(["127.0.0.1 localhost", *addresses, ""]))
        self.scenario = scenario

    def __enter__(self):
        for name in self.names:
            self.make(name)
        buses = [f"--host={name}=unix:path={self.bus(name)}" for name in self.names]
        self.reports = open(self.work / "reports", "w+")
        self.air = self.start(
            [f"{self.programs}/tactile-simulator", "air", "--json", "--scenario", self.scenario, *buses],
            stdin=subprocess.PIPE, stdout=self.reports, stderr=self.reports, text=True)
        self.wait("the air", lambda: '"event":"ready"' in self.reported())
        return self

    def __exit__(self, *_):
        # Their services too, which hold the ports that they share.
        for name in self.keepers:
            left = [process for process in self.inside(name) if process != self.keepers[name].pid]
            for process in left:
                os.kill(process, signal.SIGKILL)
            self.wait(f"the end of {name}", lambda: not any(map(self.runs, left)))
        for process in reversed(self.processes):
            process.kill()
            process.wait()

    def start(self, *arguments, **options):
        process = subprocess.Popen(*arguments, **options)
        self.processes.append(process)
        return process

    @staticmethod
    def wait(what, is_there, seconds=15):
        end = time.monotonic() + seconds
        while not is_there():
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds} s: {what}")
            time.sleep(0.02)

    def bus(self, name):
        return self.work / name / "run/dbus/system_bus_socket"

    def make(self, name):
        place = self.work / name
        for path in ("layer", "root", "run/dbus"):
            (place / path).mkdir(parents=True)
        (place / "bus.conf").write_text(BUS.format(path=self.bus(name)))
        # It complains of a limit that it may not raise.
        self.start(["dbus-daemon", "--nofork", "--nopidfile", f"--config-file={place}/bus.conf"],
                   stderr=open(place / "bus.log", "w"))
        keeper = self.start(
            ["unshare", "--mount", "--uts", "sh", "-c", SETUP, name,
             self.work, name, self.programs, REPOSITORY],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.keepers[name] = keeper
        if keeper.stdout.readline() != "ready\n":
            raise OSError(f"this machine cannot make the host {name}: see above")
        (self.work / f"tmp/first-process-of-{name}").write_text(str(keeper.pid))
        self.wait(f"the bus of {name}", self.bus(name).exists)

    def type(self, name, line):
        """Starts a shell on a host, with options: -c and a line, or none for one that is typed into."""
        inside = ["nsenter", f"--target={self.keepers[name].pid}",
                  "--mount", "--uts", "--root", "--wdns=/root"]
        clean = ["env", "-i", "HOME=/root", "USER=root", "TERM=dumb", "LC_ALL=C.UTF-8", "COLUMNS=80",
                 "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        return self.start(
            [*inside, *clean, "bash", *line], stdin=subprocess.DEVNULL if line else subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, name, line, seconds=20):
        """Runs a line in the shell of a host, which keeps its folder and its variables.

        Returns how it ended, and its output."""
        if name not in self.shells:
            self.shells[name] = Lines(self.type(name, []))
        shell = self.shells[name]
        shell.process.stdin.write(f"{{ {line}\n}} </dev/null\nprintf '\\n%s %s\\n' '{END}' $?\n")
        shell.process.stdin.flush()
        output, end = [], time.monotonic() + seconds
        while not (output and output[-1].startswith(END)):
            try:
                output.append(shell.next(end - time.monotonic(), f"{name}: not done in {seconds} s: {line}"))
            except TimeoutError:
                del self.shells[name]  # it waits for the command; the next line gets another one
                raise
        # The end begins with a line's end of its own.
        text = "\n".join(output[:-1]).removesuffix("\n")
        return int(output[-1].removeprefix(END)), text

    def write(self, name, path, text):
        """Does what a person does in an editor."""
        self.check(name, f"cat >'{path}' <<'END OF THE FILE'\n{text}END OF THE FILE")

    def check(self, name, line):
        status, output = self.run(name, line)
        if status:
            raise OSError(f"{name}: {line}: {output}")

    def reported(self):
        self.reports.flush()
        return (self.work / "reports").read_text()

    def act(self, words):
        """Types a line for the air, and sees that it is understood."""
        before = len(self.reported())
        self.air.stdin.write(" ".join(words) + "\n")
        self.air.stdin.flush()
        if '"event":"error"' in self.reported()[before:]:
            raise ValueError(self.reported()[before:])

    def expect_report(self, shown):
        """Waits until the simulator has reported something, behind what was waited for before."""
        wanted = re.compile(".*".join(map(re.escape, shown.split("…"))))

        def find():
            found = wanted.search(self.reported(), self.seen)
            self.seen = found.end() if found else self.seen
            return found

        self.wait(f"the simulator reports {shown}", find)

    def inside(self, name):
        """The processes on a host."""
        wanted = os.stat(f"/proc/{self.keepers[name].pid}/ns/mnt").st_ino
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "ns/mnt").stat().st_ino == wanted:
                    yield int(folder.name)
            except OSError:
                pass  # it has ended

    @staticmethod
    def runs(process):
        try:
            return " Z " not in Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1][:3]
        except FileNotFoundError:
            return False

    def power(self, word, name):
        """Pulls the plug of a host: nothing runs, its radio is silent, nobody is told. Or puts it back."""
        if word == "off":
            for process in self.inside(name):
                os.kill(process, signal.SIGSTOP)
            self.act(["host", name, "freeze"])
        else:
            for process in self.inside(name):
                os.kill(process, signal.SIGCONT if process == self.keepers[name].pid else signal.SIGKILL)
            self.shells.pop(name, None)
            self.act(["host", name, "thaw"])
            self.check(name, "systemctl start tactile-bridge")

    def replaced(self):
        """What was replaced: host, command."""
        for name in self.names:
            log = self.work / name / "run/replaced"
            for line in log.read_text().splitlines() if log.exists() else []:
                yield name, line
