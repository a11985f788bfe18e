"""The stage of a benchmark: a bus, a broker, the rig, and one peer, each as its own process."""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

BUS = """<busconfig><type>session</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
<limit name="max_incoming_bytes">1000000000</limit><limit name="max_outgoing_bytes">1000000000</limit>
<limit name="max_replies_per_connection">50000</limit>
<limit name="max_connections_per_user">1000</limit><limit name="max_completed_connections">1000</limit>
</busconfig>"""
# No message is dropped for a slow subscriber, and none is delayed for batching. The broker's Receive Maximum limits
# messages in transit for MQTT 5 clients only: the floor, with MQTT 3.1.1, has its own limit of 200.
BROKER = """listener {port} 127.0.0.1
allow_anonymous true
max_queued_messages 100000
set_tcp_nodelay true
max_inflight_messages {window}
"""
WINDOW, USUAL_WINDOW = 200, 20  # messages in transit: here, and Mosquitto's default


class Failure(Exception):
    """The error of an expectation that was not met."""


def tree(pid: int) -> list[int]:
    """A process and its descendants, whichever thread started them: the event loop starts the bridge's guardian, and
    the loop is not the first thread."""
    children = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children += task.read_text().split()
        except FileNotFoundError:
            pass  # a thread that has just ended
    return [pid] + [below for child in children for below in tree(int(child))]


def processor_us(pid: int) -> float:
    """The processor time of a process and its children. The scheduler counts nanoseconds; utime and stime count the
    same in hundredths of a second."""
    total = 0
    for process in tree(pid):
        for task in Path(f"/proc/{process}/task").iterdir():
            try:
                total += int((task / "schedstat").read_text().split()[0])
            except FileNotFoundError:
                pass  # a thread that has just ended
    return total / 1000


def resident_kb(pid: int) -> tuple[int, int]:
    """The resident memory of a process: the total, and the private part."""
    lines = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(lines["VmRSS"].split()[0]), int(lines["RssAnon"].split()[0])


def proportional_kb(pid: int) -> int:
    """The memory of a process and its children, with each page divided by the number of processes that share it
    (PSS)."""
    total = 0
    for process in tree(pid):
        for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total


class Stage:
    """Runs one peer with its environment, and removes everything afterwards."""

    def __init__(self, peer, devices: int, programs: Path, rig_options: tuple = (), window=WINDOW):
        self.processes: dict[str, subprocess.Popen] = {}
        self.folder = Path(tempfile.mkdtemp(prefix="tactile-bench-"))
        self.log = open(self.folder / "log", "w+b")
        try:
            self._start(peer, devices, programs, rig_options, window)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _start(self, peer, devices, programs, rig_options, window):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.folder / "bus.conf").write_text(BUS.format(folder=self.folder))
        (self.folder / "broker.conf").write_text(BROKER.format(port=self.port, window=window))
        self.bus = f"unix:path={self.folder}/bus"
        self._run("bus", ["dbus-daemon", f"--config-file={self.folder}/bus.conf", "--nofork", "--nopidfile"])
        self._run("broker", ["mosquitto", "-c", str(self.folder / "broker.conf")])
        self._await("the bus", (self.folder / "bus").exists)
        self._await("the broker", self._broker_answers)
        self.devices = devices
        self._run_bluez(programs, rig_options)
        self._answer("the rig", 10)
        self.begun = time.monotonic_ns()
        command, environment = peer(self)
        self._run("peer", command, env={**os.environ, **environment})

    def _run_bluez(self, programs, options):
        """Starts the replacement of BlueZ, which prints a line when it is ready."""
        self._run(
            "rig", [programs / "rig", "-b", self.bus, "-p", self.port, "-n", self.devices, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _run(self, name, command, **options):
        options = {"stdout": self.log, "stderr": self.log, "stdin": subprocess.DEVNULL, **options}
        self.processes[name] = subprocess.Popen([str(word) for word in command], **options)

    def _await(self, what, condition, seconds=10.0):
        """Polls until a condition is met: none of these programs reports when it is ready."""
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise Failure(f"waited in vain for {what}:\n{self._last_words()}")
            time.sleep(0.01)

    def _broker_answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _last_words(self):
        self.log.flush()
        return (self.folder / "log").read_text(errors="replace")[-2000:]

    def _answer(self, what, seconds):
        output = self.processes["rig"].stdout
        if not select.select([output], [], [], seconds)[0] or not (line := output.readline()):
            raise Failure(f"no answer to {what}:\n{self._last_words()}")
        return json.loads(line)

    def ask(self, line: str, seconds: float) -> dict:
        """Sends a command to the rig and returns its results."""
        rig = self.processes["rig"]
        rig.stdin.write(line.encode() + b"\n")
        rig.stdin.flush()
        return self._answer(line, seconds)

    def settle(self, seconds=120) -> dict:
        """Waits until every device has a subscription, and then until the peer is idle.

        Returns the time of the last subscription, and the processor time of the peer until it was idle, both in
        milliseconds from its start."""
        seen = self.ask(f"subscribed {self.devices} {seconds}", seconds + 10)
        if seen["subscribed"] < self.devices:
            raise Failure(f"only {seen['subscribed']} of {self.devices} devices came:\n{self._last_words()}")
        peer, end = self.processes["peer"].pid, time.monotonic() + seconds
        calm, spent = 0, processor_us(peer)
        while calm < 2:
            before = processor_us(peer)
            time.sleep(0.25)
            if processor_us(peer) - before < 10_000:
                calm += 1
            else:
                calm, spent = 0, processor_us(peer)
            if time.monotonic() > end:
                raise Failure("the peer does not come to rest")
        return {"ready_ms": (seen["at"] - self.begun) / 1e6, "cpu_ms": spent / 1000}

    def measure(self, line: str, seconds: float) -> dict:
        """Runs a phase of the rig, and adds the processor time of every process, in microseconds a message."""
        before = {name: processor_us(process.pid) for name, process in self.processes.items()}
        result = self.ask(line, seconds + 60)
        if self.processes["peer"].poll() is not None:
            raise Failure(f"the peer has ended:\n{self._last_words()}")
        for name, process in self.processes.items():
            spent = processor_us(process.pid) - before[name]
            result[f"us_{name}"] = round(spent / max(result["received"], 1), 2)
        return result

    def memory(self) -> dict:
        """The peer's memory in kilobytes: total and private resident memory without a guardian, and the proportional
        share (PSS) of all its processes with the guardian."""
        pid = self.processes["peer"].pid
        resident, own = resident_kb(pid)
        return {"resident_kb": resident, "own_kb": own, "pss_kb": proportional_kb(pid)}

    def close(self):
        """Stops everything, the peer first."""
        for name, end in (("peer", signal.SIGTERM), ("rig", signal.SIGKILL), ("broker", signal.SIGTERM),
                          ("bus", signal.SIGTERM)):
            process = self.processes.get(name)
            if not process:
                continue
            process.send_signal(end)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
