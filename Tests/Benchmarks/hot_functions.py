"""Finds the functions that a tap and a command run, and writes them into a list for the linker.

The linker puts them side by side: between two messages the processor does other work, and what the next one needs has to
come back from memory, by pages and by lines. A name that the program has no more is passed over, and a function that the
list does not know stands where it stood: the list grows old slowly. `--check` says how old it is.
"""

import argparse
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import peers
from stage import Stage

DEVICES, RATE, SECONDS = 4, 20, 5
# What runs for fewer messages than this is not the way of a message, but a timer's.
SHARE = 0.1
KNOWN = 0.8


def profile(bridge: Path, programs: Path, kind: str, folder: Path) -> Path:
    """Runs the bridge under callgrind, which looks while messages of one kind pass; returns what it saw."""
    seen = folder / kind

    def peer(stage):
        command, environment = peers.bridge(bridge)(stage)
        tool = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--demangle=no", f"--callgrind-out-file={seen}"]
        return tool + command, environment

    with Stage(peer, DEVICES, programs) as stage:
        stage.ask(f"subscribed {DEVICES} 300", 310)
        stage.settle()
        control = lambda *words: subprocess.run(
            ["callgrind_control", *words, str(stage.processes["peer"].pid)], check=True, capture_output=True)
        line = f"{kind} {RATE} {SECONDS}"
        stage.ask(line, 120)  # so that what is made once is made
        control("--instr=on")
        stage.ask(line, 120)
        control("--instr=off")
        control("--dump")
    return Path(f"{seen}.1")


def calls(seen: Path) -> dict[str, int]:
    """How often each function of the bridge's own file was called. Names and files stand once with a number."""
    names, files = {}, {}
    count = collections.Counter()
    file_of_caller = file_of_called = called = None

    def resolve(text, table):
        number, _, name = text.partition(" ")
        if name:
            table[number] = name
        return table.get(number, "")

    for line in seen.read_text().splitlines():
        key, _, rest = line.partition("=")
        if key == "ob":
            file_of_caller = file_of_called = resolve(rest, files)
        elif key == "cob":
            file_of_called = resolve(rest, files)
        elif key == "fn":
            resolve(rest, names)
            file_of_called = file_of_caller
        elif key == "cfn":
            called = resolve(rest, names)
        elif key == "calls":
            if "tactile-bridge" in file_of_called:
                count[re.sub(r"'\d+$", "", called)] += int(rest.split()[0])
            file_of_called = file_of_caller
    return {name: number for name, number in count.items() if not name.startswith("0x")}


def order(taps: dict[str, int], commands: dict[str, int]) -> list[str]:
    """First what both kinds run, then what one of them does; by name, so that a change of the list shows what changed."""
    least = SHARE * DEVICES * RATE * SECONDS
    taps, commands = ({name for name, number in kind.items() if number >= least} for kind in (taps, commands))
    return [name for group in (taps & commands, taps - commands, commands - taps) for name in sorted(group)]


def known(names: list[str], bridge: Path) -> int:
    """How many of the names the program has."""
    seen = subprocess.run(["nm", bridge / "tactile-bridge"], check=True, capture_output=True, text=True).stdout
    return len(set(names) & {line.split(" ")[-1] for line in seen.splitlines()})


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--bridge", type=Path, required=True)
    options.add_argument("--programs", type=Path)
    options.add_argument("--list", type=Path, required=True)
    options.add_argument("--check", action="store_true")
    options = options.parse_args()
    if not options.check:
        with tempfile.TemporaryDirectory() as folder:
            kinds = [calls(profile(options.bridge, options.programs, kind, Path(folder))) for kind in ("taps", "commands")]
        options.list.write_text("\n".join(order(*kinds)) + "\n")
    names = options.list.read_text().split()
    number = known(names, options.bridge)
    print(f"{number:,} of the {len(names):,} functions in {options.list} are in the program")
    if number < KNOWN * len(names):
        sys.exit("the list has grown old: write it anew with deploy/bench --hot-functions, and measure")


if __name__ == "__main__":
    main()
