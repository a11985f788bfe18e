"""The machines of Tests/Machines on a network: each has a network namespace with a cable to one switch. Everything
is in the namespaces that `run` creates, and ends with them."""

import subprocess
from pathlib import Path

import machines
from machines import Missing

DOMAIN = "example.org"
PREFIX = "192.0.2"  # reserved for documentation by RFC 5737
HERE = f"{PREFIX}.1"

ENVIRONMENT = {"HOME": "/root", "LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}


class Network:
    """A switch, and the machines connected to it."""

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
        """Adds a machine; `folders` are pairs of a folder here and its path there."""
        self.machines[name] = Machine(self, name, system, folders)
        return self.machines[name]

    def close(self):
        for machine in self.machines.values():
            machine.end()
        ip("link", "delete", "switch")


class Machine(machines.Machine):
    """A machine with a cable to the switch."""

    def __init__(self, network, name, system, folders):
        self.address = network.addresses[name]
        self.port = "port" + self.address.rsplit(".", 1)[1]  # of the switch
        ip("netns", "add", name)
        ip("link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", self.port, "master", "switch", "up")
        ip("-n", name, "address", "add", f"{self.address}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")
        super().__init__(name, network.work / name, network.work / "hosts", system, folders,
                         within=["nsenter", f"--net=/run/netns/{name}"])

    def start(self, command, environment=None, **options):
        """Starts a program on the machine; its process id is that of Popen."""
        options = {"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT} | options
        return subprocess.Popen([*self.inside("--net"), *map(str, command)], env=ENVIRONMENT | (environment or {}), **options)

    def run(self, line, seconds=60, check=True):
        """Runs a shell line on the machine, and returns its output."""
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
        """Writes a file, as the user does in an editor."""
        with self.start(["sh", "-c", f"mkdir -p $(dirname {path}) && cat >{path} && chmod {mode} {path} && "
                         f"chown {owner} {path}"], stdin=subprocess.PIPE, text=True) as process:
            process.communicate(text)
        if process.returncode:
            raise OSError(f"{self.name}: {path} cannot be written")

    def set_cable(self, is_in):
        """Connects its cable to the switch, or disconnects it."""
        ip("link", "set", self.port, "up" if is_in else "down")

    def end(self):
        super().end()
        ip("link", "delete", self.port)
        ip("netns", "delete", self.name)


def ip(*words):
    subprocess.run(["ip", *words], check=True)
