#!/usr/bin/env python3
"""The console's page in Debian's Chromium, with a real broker, bridge and console and simulated devices.

usage: Tests/Console/browser.py PROGRAMS [TEST…]

PROGRAMS is the folder with tactile-bridge, tactile-bridge-console and tactile-simulator. With the variable
CONSOLE_PICTURES the pictures of all views are put into that folder. CONSOLE_RUNS says how often each row of Driving
runs. CONSOLE_FAILURES names a file for a line about each test that failed: its name, a tab, and why.
"""

import os
import sys
import unittest
from pathlib import Path

from actuators import Belt, Patterns, Robot
from choosing import Choosing
from devices import Devices
from driving import Driving
from fleets import Fleets
from foreign import Foreign
from frame import Frame
from framed import Framed
from home import Home
from joining import Joining
from live import Live
from load import Load
from looks import DarkLooks, GermanDarkLooks, GermanLooks, GermanWords, Looks
from page import Page
from phone import Phone
from proxied import Proxied
from stage import Stage
from stopping import Stopping
from taps import Taps
from touch import Touch
from truth import Truth
from views import Views

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Page.stage = Stage(sys.argv[1])
    try:
        program = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2, exit=False)
    finally:
        Page.stage.end()
    failures = {".".join(test.id().split(".")[-2:]): trace.strip().splitlines()[-1]
                for test, trace in [*program.result.failures, *program.result.errors]}
    for name, reason in failures.items():
        print(f"failed: {name}: {reason}", file=sys.stderr)
    if place := os.environ.get("CONSOLE_FAILURES"):
        Path(place).write_text("".join(f"{name}\t{reason}\n" for name, reason in failures.items()))
    sys.exit(not program.result.wasSuccessful())
