"""Measures the bridge against the floor and the Python peer, by turns on one stage, and reports in Markdown.

Called by deploy/bench, which builds what is needed.
"""

import argparse
import datetime
import json
import os
import platform
import random
import statistics
import sys
from pathlib import Path

import report
from stage import USUAL_WINDOW, Failure, Stage

COUNTS = (1, 10, 100, 300)
FAIR = 20  # devices of the main comparison, each with 200 taps a second
RATES = (250, 1000, 4000)  # of 100 devices together
BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"  # around the figures in the README
FLOOD = 1000  # messages under way from the bus to the subscriber when the highest rate is looked for


def bridge(programs: Path):
    def start(stage):
        settings = {
            "BLUETOOTH_BUS": stage.bus, "BLUETOOTH_JOIN": "always", "BRIDGE_ID": "bench",
            "BRIDGE_STATE_DIRECTORY": stage.folder / "state", "MQTT_HOST": "127.0.0.1", "MQTT_PORT": stage.port,
        }
        (stage.folder / "bridge.yaml").write_text("")
        return (
            [programs / "tactile-bridge", "run", "--config", stage.folder / "bridge.yaml", "--log-level", "warning"],
            {f"TACTILE_BRIDGE_{name}": str(value) for name, value in settings.items()})
    return start


def floor(programs: Path):
    return lambda stage: ([programs / "floor", stage.bus, stage.port], {})


def python(programs: Path):
    return lambda stage: (
        [programs / "venv/bin/python", Path(__file__).with_name("peer.py"), stage.port, stage.devices],
        {"DBUS_SYSTEM_BUS_ADDRESS": stage.bus})


class Bench:
    """Collects what each peer shows in each situation, once a round."""

    def __init__(self, options):
        self.seconds = 2 if options.quick else 10
        self.rounds = 1 if options.quick else 2
        self.programs = options.programs
        self.random = random.Random(options.seed)
        self.peers = {"bridge": bridge(options.bridge), "floor": floor(options.programs)}
        if (options.programs / "venv/complete").exists():
            self.peers["python"] = python(options.programs)
        self.seen: dict[str, dict[str, list[dict]]] = {}

    def run(self):
        for _ in range(self.rounds * 3):
            for name in self.turn():
                self.note("start", name, self.start_up(name))
        for _ in range(self.rounds):
            for count in (*COUNTS, FAIR):
                for name in self.turn():
                    self.attempt(self.situation, name, count)
            for name in self.turn():
                self.attempt(self.narrow, name, 100)

    def attempt(self, situation, name: str, count: int):
        try:
            situation(name, count)
        except Failure as failure:
            print(f"{name} with {count} devices failed: {failure}", file=sys.stderr)

    def turn(self):
        names = list(self.peers)
        self.random.shuffle(names)
        return names

    def note(self, key: str, name: str, result: dict):
        self.seen.setdefault(key, {}).setdefault(name, []).append(result)
        print(f"{key:>16} {name:<7} {json.dumps(result)}", file=sys.stderr, flush=True)

    def start_up(self, name: str) -> dict:
        """From the start of the process to its first message, and to a first tap that has gone through it."""
        with Stage(self.peers[name], 1, self.programs, ("-f", "#", "-s")) as stage:
            first = stage.ask("first 20", 30)
            if not first["event"]:
                raise Failure(f"{name} passes no tap on")
            return {key: (first[key] - stage.begun) / 1e6 for key in ("message", "event")}

    def situation(self, name: str, count: int):
        with Stage(self.peers[name], count, self.programs) as stage:
            ready = stage.settle()
            if count in COUNTS:
                resident, own = stage.memory()
                self.note(f"memory {count}", name, {"resident_kb": resident, "own_kb": own, "ready_ms": ready})

            def taps(rate, key):
                line = f"taps {rate / count} {self.seconds}"
                self.note(key, name, stage.measure(line, self.seconds))

            if count == FAIR:
                taps(200 * FAIR, "fair")
                line = f"commands 10 {self.seconds}"
                self.note("commands", name, stage.measure(line, self.seconds))
                return
            if count == 100:
                for rate in RATES:
                    taps(rate, f"rate {rate}")
                taps(20_000, "100 x 200")
                line = f"flood {FLOOD} {self.seconds}"
                self.note("flood", name, stage.measure(line, self.seconds))
            taps(200 if count == 1 else 2000, f"devices {count}")
            if count == 300:
                taps(15_000, "300 x 50")

    def narrow(self, name: str, count: int):
        """The highest load at a broker that lets no more be under way than it does by itself."""
        with Stage(self.peers[name], count, self.programs, window=USUAL_WINDOW) as stage:
            stage.settle()
            self.note("narrow", name, stage.measure(f"taps {20_000 / count} {self.seconds}", self.seconds))

    def summary(self) -> dict:
        """The median of all rounds; of what is lost the sum."""
        def middle(results):
            return {
                key: (sum if key in ("lost", "strange") else statistics.median)([r[key] for r in results])
                for key in results[0]
            }
        return {key: {name: middle(r) for name, r in peers.items()} for key, peers in self.seen.items()}


def main():
    parser = argparse.ArgumentParser(prog="deploy/bench")
    parser.add_argument("--quick", action="store_true", help="two minutes instead of a quarter of an hour")
    parser.add_argument("--seed", type=int, default=random.randrange(10_000), help="of the order of the peers")
    parser.add_argument("--programs", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--bridge", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--readme", action="store_true", help="put tables and drawing into the README")
    options = parser.parse_args()
    bench = Bench(options)
    bench.run()
    about = {
        "date": datetime.date.today().isoformat(), "seed": options.seed, "seconds": bench.seconds,
        "rounds": bench.rounds, "cores": os.cpu_count(), "machine": platform.machine(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9),
    }
    result = {"about": about, "results": bench.summary()}
    (options.programs / "results.json").write_text(json.dumps(result, indent=1))
    text = report.markdown(result)
    print(text)
    if options.readme:
        here = Path(__file__).parent
        (here / "cost.svg").write_text(report.plot(result))
        readme = here.parent.parent / "README.md"
        before, rest = readme.read_text().split(BEGIN)
        readme.write_text(before + BEGIN + "\n" + text + END + rest.split(END)[1])


main()
