"""Measures the bridge, the floor and the Python peer in turn on one stage, and reports in Markdown.

Called by deploy/bench, which builds the programs.
"""

import argparse
import datetime
import json
import os
import platform
import random
import statistics
import sys
import time
from pathlib import Path

import peers
import report
import retained
from stage import USUAL_WINDOW, Failure, Stage

COUNTS = (1, 10, 100, 300)
FAIR = 20  # devices of the main comparison, each with 200 taps a second
RATES = (250, 1000, 4000)  # of all 100 devices together
KNOWN = (20, 100, 300, 1000)  # devices that are known and connected at the start
FAR = (100, 300)  # devices that are known and in range at the start, and have to be connected
CONNECTION = ("-c", "20")  # milliseconds that the adapter needs for each of them
REST = 2.5  # seconds until the memory of connected devices is measured: they stay connected
FLOOD = 1000  # messages in transit from the bus to the subscriber when the highest rate is measured
SENSORS = 60  # sensors of BTHome, each with a packet a second
STRANGERS = 100  # devices that no family matches
REPORTS = 490  # of all strangers together, a second: what one adapter can receive
ADDRESSES = 60_000  # devices with a new address each, which appear and disappear
PARTS = ("start", "setup", "memory", "events", "commands", "loads", "retained", "advertisements")
PAGE = Path(__file__).parent.parent.parent / "docs/measurements/performance.md"
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"  # around the measurements on the page


class Bench:
    """Collects the results of each peer in each situation, once a round."""

    def __init__(self, options):
        self.seconds = 2 if options.quick else 10
        self.rounds = 1 if options.quick else 2
        self.parts = options.only
        self.programs = options.programs
        self.simulator = options.bridge
        self.random = random.Random(options.seed)
        self.bridges = {"bridge": options.bridge}
        if options.against:
            self.bridges["before"] = options.against
        self.peers = {name: peers.bridge(folder) for name, folder in self.bridges.items()}
        self.peers["floor"] = peers.floor(options.programs)
        self.acquiring = peers.bridge(options.bridge, acquires=True)
        self.connecting = peers.floor(options.programs, "connects")
        self.answering = peers.floor(options.programs, "answers")
        if (options.programs / "venv/complete").exists():
            self.peers["python"] = peers.python(options.programs)
        self.seen: dict[str, dict[str, list[dict]]] = {}

    def run(self):
        if "start" in self.parts:
            for _ in range(self.rounds * 3):
                for name in self.turn():
                    self.note("start", name, self.start_up(name))
        if "retained" in self.parts:
            for name in self.bridges:
                self.attempt(self.keep, name, len(retained.DEVICES))
        for _ in range(self.rounds):
            if "setup" in self.parts:
                for count in KNOWN:
                    for name in self.turn(("python",), ("file",)):
                        self.attempt(self.set_up, name, count)
                for count in FAR:
                    for name in self.turn(("python",)):
                        self.attempt(self.connect, name, count)
            for count in (*COUNTS, FAIR):
                others = {}
                if count == FAIR and "commands" in self.parts:
                    others["answering"] = self.answer
                if count == FAIR and "events" in self.parts:
                    others["acquired"] = self.acquire
                for name in self.turn(besides=others) if self.wanted(count) else ():
                    self.attempt(others.get(name, self.situation), name, count)
            if "loads" in self.parts:
                for name in self.turn():
                    self.attempt(self.narrow, name, 100)
            if "advertisements" in self.parts:
                for name in self.bridges:
                    self.attempt(self.sense, name, SENSORS)
                    self.attempt(self.ignore, name, STRANGERS)
                    self.attempt(self.pass_by, name, 1)
                self.attempt(self.trickle, "floor", SENSORS)

    def wanted(self, count: int) -> bool:
        """Whether a selected part needs the situation with this number of devices."""
        needs = {"memory": count in COUNTS, "events": True, "commands": count == FAIR, "loads": count in (100, 300)}
        return any(needs.get(part, False) for part in self.parts)

    def attempt(self, situation, name: str, count: int):
        try:
            situation(name, count)
        except Failure as failure:
            print(f"{name} with {count} devices failed: {failure}", file=sys.stderr)

    def turn(self, without=(), besides=()):
        names = [name for name in self.peers if name not in without] + list(besides)
        self.random.shuffle(names)
        return names

    def note(self, key: str, name: str, result: dict):
        self.seen.setdefault(key, {}).setdefault(name, []).append(result)
        print(f"{key:>16} {name:<7} {json.dumps(result)}", file=sys.stderr, flush=True)

    def start_up(self, name: str) -> dict:
        """The time from the start of the process to its first message, and to the first tap that has passed through
        it."""
        with Stage(self.peers[name], 1, self.programs, ("-f", "#", "-s")) as stage:
            first = stage.ask("first 20", 30)
            if not first["event"]:
                raise Failure(f"{name} passes no tap on")
            return {key: (first[key] - stage.begun) / 1e6 for key in ("message", "event")}

    def set_up(self, name: str, count: int):
        """The processor time to set up devices that the peer has saved from an earlier run."""
        folder = self.bridges["bridge"] if name == "file" else self.bridges.get(name)
        peer = peers.bridge(folder, known=True, described=name == "file") if folder else self.peers[name]
        with Stage(peer, count, self.programs) as stage:
            self.note(f"setup {count}", name, stage.settle(600))

    def connect(self, name: str, count: int):
        """The time and processor time to connect and set up devices that are in range."""
        folder = self.bridges.get(name)
        peer = peers.bridge(folder, known=True) if folder else self.connecting
        with Stage(peer, count, self.programs, CONNECTION) as stage:
            self.note(f"connect {count}", name, stage.settle(600))

    def keep(self, name: str, _count: int):
        """The retained bytes on the broker for a device of each family."""
        peer = peers.bridge(self.bridges[name], devices=retained.DEVICES)
        with retained.SimulatedStage(peer, len(retained.DEVICES), self.simulator) as stage:
            self.note("retained", name, stage.count())

    def situation(self, name: str, count: int):
        with Stage(self.peers[name], count, self.programs) as stage:
            ready = stage.settle()
            if count in COUNTS and "memory" in self.parts:
                time.sleep(REST)
                self.note(f"memory {count}", name, stage.memory() | {"ready_ms": ready["ready_ms"]})

            def taps(part, rate, key):
                if part in self.parts:
                    line = f"taps {rate / count} {self.seconds}"
                    self.note(key, name, stage.measure(line, self.seconds))

            if count == FAIR:
                taps("events", 200 * FAIR, "fair")
                if "commands" in self.parts:
                    self.commands(name, stage)
                return
            if count == 100:
                for rate in RATES:
                    taps("events", rate, f"rate {rate}")
                taps("loads", 20_000, "100 x 200")
                if "loads" in self.parts:
                    line = f"flood {FLOOD} {self.seconds}"
                    self.note("flood", name, stage.measure(line, self.seconds))
            taps("events", 200 if count == 1 else 2000, f"devices {count}")
            if count == 300:
                taps("loads", 15_000, "300 x 50")

    def commands(self, name: str, stage: Stage):
        # Three times as long: the slowest thousandth must be several commands.
        seconds = 3 * self.seconds
        self.note("commands", name, stage.measure(f"commands 10 {seconds}", seconds))

    def answer(self, name: str, count: int):
        """Measures commands to a variant of the floor that answers them: the minimum cost of an answer."""
        with Stage(self.answering, count, self.programs) as stage:
            stage.settle()
            # As with the other peers before their commands.
            stage.measure(f"taps 200 {self.seconds}", self.seconds)
            self.commands(name, stage)

    def acquire(self, name: str, count: int):
        """Measures events that the bridge receives through acquired sockets."""
        with Stage(self.acquiring, count, self.programs) as stage:
            stage.settle()
            self.note("fair", name, stage.measure(f"taps 200 {self.seconds}", self.seconds))

    def narrow(self, name: str, count: int):
        """The highest load with the broker's default limit of messages in transit."""
        with Stage(self.peers[name], count, self.programs, window=USUAL_WINDOW) as stage:
            stage.settle()
            self.note("narrow", name, stage.measure(f"taps {20_000 / count} {self.seconds}", self.seconds))

    def sense(self, name: str, count: int):
        """Sensors that only advertise, each with new data every second."""
        devices = {f"b{number:04x}": {"family": "bthome", "address": peers.address(number)} for number in range(count)}
        peer = peers.bridge(self.bridges[name], devices=devices)
        with Stage(peer, count, self.programs, ("-k", "sensor", "-f", "+/measures")) as stage:
            stage.settle()
            # The first values of a device are announced to Home Assistant.
            stage.measure("reports 1 2", 2)
            self.note("sensors", name, stage.measure(f"reports 1 {self.seconds}", self.seconds))

    def trickle(self, name: str, count: int):
        """TAPs at the rate of the sensors: what the libraries, the kernel and cold caches cost at such a rate."""
        with Stage(self.peers[name], count, self.programs) as stage:
            stage.settle()
            self.note("sensors", name, stage.measure(f"taps 1 {self.seconds}", self.seconds))

    def ignore(self, name: str, count: int):
        """Devices that no family matches, each report with new data."""
        with Stage(self.peers[name], count, self.programs, ("-k", "stranger")) as stage:
            stage.settle()
            self.note("strangers", name, stage.measure(f"reports {REPORTS / count} {self.seconds}", self.seconds))

    def pass_by(self, name: str, count: int):
        """The growth of memory with changing addresses, after a sixth of them."""
        with Stage(self.peers[name], count, self.programs, ("-k", "stranger")) as stage:
            stage.settle()
            rate = 5000

            def measure(addresses):
                seconds = addresses / rate
                result = stage.measure(f"addresses {rate} {seconds}", seconds)
                time.sleep(REST)
                return result | stage.memory()

            before, after = measure(ADDRESSES // 6), measure(ADDRESSES)
            self.note("addresses", name, after | {"growth_kb": after["own_kb"] - before["own_kb"]})

    def summary(self) -> dict:
        """The median of all rounds; for lost messages the sum."""
        def middle(results):
            return {
                key: (sum if key in ("lost", "strange") else statistics.median)([r[key] for r in results])
                for key in results[0]
            }
        return {
            key: {name: middle(seen[name]) for name in (*self.peers, "acquired", "answering", "file") if name in seen}
            for key, seen in self.seen.items()
        }


def folder(text: str) -> Path:
    """The folder of a program, specified directly or by the path of the program."""
    path = Path(text).resolve()
    path = path.parent if path.is_file() else path
    if not (path / "tactile-bridge").is_file():
        raise argparse.ArgumentTypeError(f"{path} holds no tactile-bridge")
    return path


def parts(text: str) -> tuple:
    """The parts of a comma-separated list."""
    words = tuple(text.split(","))
    if unknown := [word for word in words if word not in PARTS]:
        raise argparse.ArgumentTypeError(f"{' '.join(unknown)}: allowed: {' '.join(PARTS)}")
    return words


def main():
    parser = argparse.ArgumentParser(prog="deploy/bench")
    parser.add_argument("--quick", action="store_true", help="some minutes instead of half an hour")
    parser.add_argument("--only", type=parts, default=PARTS, metavar="PART,PART",
                        help=f"measure only these parts: {' '.join(PARTS)}")
    parser.add_argument("--against", type=folder, metavar="FOLDER",
                        help="also measure the tactile-bridge in this folder, alternately")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000), help="the order of the peers")
    parser.add_argument("--real-time", action="store_true", help="run with a higher priority than all other processes")
    parser.add_argument("--programs", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--bridge", type=folder, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--write", action="store_true", help="write tables and chart to docs/measurements")
    options = parser.parse_args()
    if options.write and options.only != PARTS:
        parser.error("--write needs all parts: leave --only out")
    if options.real_time:
        # Child processes inherit this policy and share the processors in turn.
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(os.sched_get_priority_min(os.SCHED_RR)))
    bench = Bench(options)
    bench.run()
    about = {
        "date": datetime.date.today().isoformat(), "seed": options.seed, "seconds": bench.seconds,
        "rounds": bench.rounds, "cores": os.cpu_count(), "machine": platform.machine(),
        "real_time": options.real_time, "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
    }
    result = {"about": about, "results": bench.summary()}
    (options.programs / "results.json").write_text(json.dumps(result, indent=1))
    text = report.markdown(result)
    print(text)
    if options.write:
        PAGE.with_name("cost.svg").write_text(report.plot(result))
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(before + BEGIN + "\n" + text + END + rest.split(END)[1])


if __name__ == "__main__":
    main()
