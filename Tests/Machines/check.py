"""Checks the simulated radio as tests use it: an invalid line is detected, and a valid one causes no error.

usage: check.py PROGRAMS
"""

import sys
from pathlib import Path

from machines import Air

SCENARIO = Path(__file__).resolve().parent.parent / "Tutorials/three-hosts.yaml"

air = Air(Path(sys.argv[1]) / "tactile-simulator", SCENARIO, {})
try:
    for line in ("move belt hall off", "belt press home", "host cellar freeze"):
        air.act(line)
    for line in ("move belt nowhere -50", "belt fly", "nonsense"):
        try:
            air.act(line)
        except OSError as error:
            if line.split()[-1] not in str(error):
                raise
        else:
            raise SystemExit(f"nobody notices that the air does not take the line: {line}")
finally:
    air.end()
print("the simulator's air: lines that it does not take are noticed")
