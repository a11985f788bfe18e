"""The hosts of a tutorial: machines that share this machine's network, with the files that the packages would install,
and simulated devices between them.

The scripts in `stand-ins` replace systemd, apt, sudo and ssh. Each records its use in a file, which `Hosts.replaced`
reads. All other commands run as they are printed.
"""

import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent
sys.path.insert(0, str(HERE.resolve().parent / "Machines"))

from machines import Air, Bus, Machine  # noqa: E402

# The files that the packages would install, and no files of this machine's own installation.
INSTALL = """
rm -rf etc/tactile-bridge etc/mosquitto/conf.d/* etc/credstore var/lib/tactile-bridge root/.config root/.bash*
mkdir -p usr/share/tactile-bridge usr/share/doc/tactile-bridge etc/tactile-bridge/conf.d etc/credstore
mkdir -m 755 etc/tactile-bridge/devices
cp mnt/config/tactile-bridge.yaml etc/tactile-bridge/
cp -r mnt/config/patterns etc/tactile-bridge/
cp -r mnt/config/devices usr/share/tactile-bridge/
cp -r mnt/deploy/brokers usr/share/doc/tactile-bridge/
cp mnt/deploy/systemd/tactile-bridge.service lib/systemd/system/
cp mnt/Tests/Tutorials/stand-ins/* usr/local/bin/
ln -sf /opt/programs/tactile-bridge usr/bin/tactile-bridge
chown -R 0:0 etc/tactile-bridge
chmod -R go-w etc/tactile-bridge usr/share/tactile-bridge
umount mnt
"""

# The marker that a shell prints after each command.
END = "-- the command has ended:"


class Lines:
    """The output of a process, line by line."""

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
    """Hosts with simulated devices between them; they end with the `with` block."""

    def __init__(self, names, programs, scenario, work):
        self.names, self.work, self.programs = names, Path(work), Path(programs).resolve()
        self.machines, self.buses, self.shells, self.seen = {}, {}, {}, 0
        self.processes, self.air = [], None
        (self.work / "tmp").mkdir(mode=0o1777)
        addresses = [f"127.0.0.{number} {name}" for number, name in enumerate(names, 11)]
        (self.work / "hosts").write_text("\n".join(["127.0.0.1 localhost", *addresses, ""]))
        self.scenario = scenario

    def __enter__(self):
        for name in self.names:
            self.make(name)
        self.air = Air(self.programs / "tactile-simulator", self.scenario, self.buses)
        return self

    def __exit__(self, *_):
        if self.air:
            self.air.end()
        # This includes their services, which hold the shared ports.
        for machine in self.machines.values():
            machine.end()
        for bus in self.buses.values():
            bus.end()
        for process in self.processes:
            process.kill()
            process.wait()

    def make(self, name):
        folders = [(self.work / "tmp", "tmp"), (REPOSITORY, "mnt"), (self.programs, "opt/programs")]
        machine = Machine(name, self.work / name, self.work / "hosts", folders=folders, install=INSTALL)
        self.machines[name], self.buses[name] = machine, Bus(machine)
        (self.work / f"tmp/first-process-of-{name}").write_text(str(machine.keeper.pid))

    def type(self, name, line):
        """Starts a shell on a host, with options: -c and a line, or none for an interactive shell."""
        clean = ["env", "-i", "HOME=/root", "USER=root", "TERM=dumb", "LC_ALL=C.UTF-8", "COLUMNS=80",
                 "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        self.processes.append(subprocess.Popen(
            [*self.machines[name].inside(), *clean, "bash", *line],
            stdin=subprocess.DEVNULL if line else subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
        return self.processes[-1]

    def run(self, name, line, seconds=20):
        """Runs a line in the shell of a host, which keeps its folder and its variables.

        Returns the exit status and the output."""
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
                del self.shells[name]  # it waits for the command; the next line gets another shell
                raise
        # The marker follows an additional line break.
        text = "\n".join(output[:-1]).removesuffix("\n")
        return int(output[-1].removeprefix(END)), text

    def write(self, name, path, text):
        """Writes a file, as the user does in an editor."""
        self.check(name, f"cat >'{path}' <<'END OF THE FILE'\n{text}END OF THE FILE")

    def check(self, name, line):
        status, output = self.run(name, line)
        if status:
            raise OSError(f"{name}: {line}: {output}")

    def expect_report(self, shown):
        """Waits until the simulator has reported something, after the previously found report."""
        self.seen = self.air.expect_line(shown, self.seen)

    def power(self, word, name):
        """Unplugs a host: nothing runs, its radio is silent, and no connection is closed cleanly. Or plugs it in
        again."""
        if word == "off":
            self.machines[name].signal(signal.SIGSTOP)
            self.air.act(f"host {name} freeze")
        else:
            self.machines[name].kill()
            self.shells.pop(name, None)
            self.air.act(f"host {name} thaw")
            self.check(name, "systemctl start tactile-bridge")

    def replaced(self):
        """The replaced commands: host, command."""
        for name in self.names:
            log = self.work / name / "run/replaced"
            for line in log.read_text().splitlines() if log.exists() else []:
                yield name, line
