"""Machines that are not there: each has a network namespace with a cable to one switch, a name, and a layer over a
system, which is thrown away. All of it is in the namespaces that `run` makes, and ends with them."""

import os
import signal
import subprocess
import time
from pathlib import Path

DOMAIN = "example.org"
PREFIX = "192.0.2"  # of no network: for documentation, by RFC 5737
HERE = f"{PREFIX}.1"

# In a mount namespace of its own: a layer over a system, its own /run, and the folders that it is given.
SETUP = """
set -eu
place=$1 name=$2 system=$3 hosts=$4
shift 4
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
mkdir .old
pivot_root . .old
cd /
umount -l /.old
echo ready
exec sleep infinity
"""

ENVIRONMENT = {"HOME": "/root", "LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}


class Missing(Exception):
    """What was waited for did not come."""


def wait(what, is_there, seconds=15.0, interval=0.02):
    """Waits for a condition, and returns its value."""
    end = time.monotonic() + seconds
    while not (value := is_there()):
        if time.monotonic() > end:
            raise Missing(f"not within {seconds} s: {what}")
        time.sleep(interval)
    return value


class Network:
    """A switch, and the machines at it."""

    def __init__(self, work, names):
        self.work, self.machines = Path(work), {}
        self.addresses = {name: f"{PREFIX}.{number}" for number, name in enumerate(names, 11)}
        (self.work / "hosts").write_text("".join(
            ["127.0.0.1 localhost\n", *(f"{address} {name}.{DOMAIN} {name}\n"
                                        for name, address in self.addresses.items())]))
        ip("link", "add", "switch", "type", "bridge", "forward_delay", "0")
        ip("address", "add", f"{HERE}/24", "dev", "switch")
        ip("link", "set", "switch", "up")

    def machine(self, name, system="/", folders=()):
        """A new one; `folders` are pairs of a folder here and where it is seen there."""
        self.machines[name] = Machine(self, name, system, folders)
        return self.machines[name]

    def close(self):
        for machine in self.machines.values():
            machine.end()
        ip("link", "delete", "switch")


class Machine:
    """One of them."""

    def __init__(self, network, name, system, folders):
        self.name, self.address = name, network.addresses[name]
        self.port = "port" + self.address.rsplit(".", 1)[1]  # of the switch
        self.place = network.work / name
        for path in ("layer", "root", "run"):
            (self.place / path).mkdir(parents=True)
        ip("netns", "add", name)
        ip("link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", self.port, "master", "switch", "up")
        ip("-n", name, "address", "add", f"{self.address}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")
        inside = [str(word) for pair in folders for word in pair]
        self.keeper = subprocess.Popen(
            ["nsenter", f"--net=/run/netns/{name}", "unshare", "--mount", "--uts", "sh", "-c", SETUP, "sh",
             self.place, name, system, network.work / "hosts", *inside],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        if self.keeper.stdout.readline() != "ready\n":
            raise OSError(f"the machine {name} cannot be made: see above")
        self.namespace = os.stat(f"/proc/{self.keeper.pid}/ns/mnt").st_ino

    def start(self, command, environment=None, **options):
        """Starts a program on it; it has the process id that Popen says."""
        inside = ["nsenter", f"--target={self.keeper.pid}", "--mount", "--uts", "--net", "--root", "--wdns=/root"]
        options = {"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT} | options
        return subprocess.Popen([*inside, *map(str, command)], env=ENVIRONMENT | (environment or {}), **options)

    def run(self, line, seconds=60, check=True):
        """Runs a line of a shell on it, and returns what it prints."""
        with self.start(["sh", "-c", line], stdout=subprocess.PIPE, text=True) as process:
            try:
                output = process.communicate(timeout=seconds)[0]
            except subprocess.TimeoutExpired:
                process.kill()
                raise Missing(f"{self.name}: not done in {seconds} s: {line}") from None
        if check and process.returncode:
            raise OSError(f"{self.name}: {line}: exit status {process.returncode}: {output}")
        return output

    def write(self, path, text, mode="644", owner="root:root"):
        """Does what a person does in an editor."""
        with self.start(["sh", "-c", f"mkdir -p $(dirname {path}) && cat >{path} && chmod {mode} {path} && "
                         f"chown {owner} {path}"], stdin=subprocess.PIPE, text=True) as process:
            process.communicate(text)
        if process.returncode:
            raise OSError(f"{self.name}: {path} cannot be written")

    def set_cable(self, is_in):
        """Plugs its cable out of the switch, or in."""
        ip("link", "set", self.port, "up" if is_in else "down")

    def processes(self):
        """What runs on it, without what keeps it."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "ns/mnt").stat().st_ino == self.namespace and folder.name != str(self.keeper.pid):
                    if " Z " not in (folder / "stat").read_text().rsplit(")", 1)[1][:3]:
                        yield int(folder.name)
            except OSError:
                pass  # it has ended

    def kill(self):
        """Kills all that runs on it, at once."""
        for process in self.processes():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        wait(f"the end of {self.name}", lambda: not any(True for _ in self.processes()))

    def end(self):
        self.kill()
        self.keeper.kill()
        self.keeper.wait()
        ip("link", "delete", self.port)
        ip("netns", "delete", self.name)


def ip(*words):
    subprocess.run(["ip", *words], check=True)
