"""Causes failures in a fleet: see `run`."""

import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Machines"))

import scenes  # noqa: E402

LONGEST = 3000  # seconds; then the run is stopped
sys.stdout.reconfigure(line_buffering=True)


def main(words):
    options = {"--verbose": False, "--old": None, "--twin": None}
    while words and words[0].startswith("--"):
        word = words.pop(0)
        if word == "--list":
            print("\n".join(f"{name:<9} {scene.__doc__.splitlines()[0]}" for name, scene in scenes.ALL.items()))
            return 0
        if word not in options:
            print(f"Tests/Fleet/run: {word}?", file=sys.stderr)
            return 64
        options[word] = True if word == "--verbose" else Path(words.pop(0)).resolve()
    programs, *names = words
    # As the first process of its namespaces it receives only signals that it handles.
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(f"Tests/Fleet/run: timed out after {LONGEST} s"))
    signal.alarm(LONGEST)
    if strange := [name for name in names if name not in scenes.ALL]:
        print(f"Tests/Fleet/run: no scene {' '.join(strange)}; there are {' '.join(scenes.ALL)}", file=sys.stderr)
        return 64
    failed = []
    for name in names or [name for name in scenes.ALL if name not in scenes.ONLY_IF_NAMED]:
        print(f"== {name}: {scenes.ALL[name].__doc__.splitlines()[0]}")
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="fleet-", dir="/tmp") as work:
            try:
                scenes.ALL[name](Path(work), Path(programs).resolve(), options)
            except scenes.Lacking as lack:
                print(f"   skipped: {lack}")
                if names:
                    return 69
            except Exception as error:
                failed.append(name)
                print(f"   FAILED: {error}")
                if options["--verbose"] or not isinstance(error, (scenes.Missing, AssertionError)):
                    traceback.print_exc()
        print(f"   {time.monotonic() - begun:.0f} s")
    print(f"failed: {' '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
