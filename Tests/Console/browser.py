#!/usr/bin/env python3
"""The console's page in Debian's Chromium, with a real broker, bridge and console and simulated devices.

usage: Tests/Console/browser.py PROGRAMS [TEST…]

PROGRAMS is the folder with tactile-bridge, tactile-bridge-console and tactile-simulator. With the variable
CONSOLE_PICTURES the pictures of all views are put into that folder. CONSOLE_RUNS says how often each row of Driving
runs.
"""

import sys
import unittest

from actuators import Belt, Patterns, Robot
from devices import Devices
from driving import Driving
from explore import Explore
from foreign import Foreign
from looks import DarkLooks, GermanLooks, Looks
from page import Page
from proxied import Proxied
from stage import Stage
from views import Views

if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Page.stage = Stage(sys.argv[1])
    try:
        program = unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2, exit=False)
    finally:
        Page.stage.end()
    sys.exit(not program.result.wasSuccessful())
