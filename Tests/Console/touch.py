"""Fingers on a phone: the ring, the pattern editor and the stick."""

import json

from page import Page
from stage import resize, wait_for


class Touch(Page):
    def setUp(self):
        super().setUp()
        resize(self.driver, 360, 740)
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(self, type, *points):
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {
            "type": f"touch{type}", "touchPoints": [{"x": x, "y": y, "id": place} for place, (x, y) in enumerate(points)]})

    def box(self, element):
        """The left edge, the top edge, the width and the height of an element that is scrolled into the middle."""
        return self.run_script("""
            arguments[0].scrollIntoView({block: "center"});
            const {left, top, width, height} = arguments[0].getBoundingClientRect();
            return [left, top, width, height];""", element)

    def test_ring(self):
        """A finger on the band leads; a swipe inside the ring scrolls the page and leads nowhere."""
        navigation = lambda: json.loads(self.stage.newest("belt/navigation") or "{}")
        left, top, width, height = self.box(self.show("belt", ".ring"))
        middle = left + width / 2, top + height / 2
        far = width * 118 / 300
        self.choose(self.control("Direction measured from"), "belt")
        left, top, width, height = self.box(self.find("tb-belt .ring"))
        middle = left + width / 2, top + height / 2
        self.touch("Start", (middle[0], middle[1] - far))
        self.touch("Move", (middle[0] + far * 0.7, middle[1] - far * 0.7))
        self.touch("Move", (middle[0] + far, middle[1]))
        self.touch("End")
        wait_for("the right", lambda: navigation().get("state") == "navigating" and abs(navigation()["direction"] - 90) <= 2, 5)
        self.stage.publish("belt/navigation/set", "stop")
        wait_for("the stop", lambda: navigation().get("state") == "stopped", 5)
        commands, before = len(self.stage.of("belt/navigation/set")), self.run_script("return scrollY")
        self.swipe((middle[0] + far * 0.4, middle[1]), -150)
        wait_for("the page scrolls", lambda: self.run_script("return scrollY") > before, 3)
        self.assertEqual(len(self.stage.of("belt/navigation/set")), commands)

    def swipe(self, start, distance):
        x, y = start
        self.touch("Start", (x, y))
        for part in range(1, 11):
            self.touch("Move", (x, y + distance * part / 10))
        self.touch("End")

    def test_editor(self):
        """A finger that moves along the curve sets the strength of each step."""
        self.show("patterns", ".grid canvas")
        left, top, width, height = self.box(self.find("tb-patterns section:last-of-type canvas"))
        strengths = lambda: self.run_script("return [...document.querySelectorAll('.steps input[type=range]')].map((e) => Number(e.value))")
        self.assertEqual(strengths(), [100, 0, 50])
        y = top + 8 + (height - 26) * 0.25
        self.touch("Start", (left + 60, y))
        for part in range(1, 21):
            self.touch("Move", (left + 60 + (width - 80) * part / 20, y))
        self.touch("End")
        wait_for("all steps", lambda: strengths() == [75, 75, 75], 3)

    def test_sticks(self):
        """Two fingers drive and turn; the robot stops when the last is lifted."""
        self.stage.power()
        pad = self.box(self.show("robot", ".pad"))
        bar = self.run_script("const {left, top, width, height} = document.querySelector('.turn').getBoundingClientRect(); return [left, top, width, height]")
        before = len(self.stage.of("robot/drive/set"))
        drive, turn = (pad[0] + pad[2] / 2, pad[1] + pad[3] * 0.1), (bar[0] + bar[2] * 0.9, bar[1] + bar[3] / 2)
        self.touch("Start", drive)
        wait_for("the wheels to turn", lambda: self.stage.moving, 5)
        self.touch("Start", drive, turn)
        newest = lambda: json.loads(self.stage.of("robot/drive/set")[before:][-1])
        wait_for("both", lambda: newest()["y"] > 0 and newest()["turn"] > 0, 3)
        self.touch("End")
        wait_for("the wheels to stand", lambda: not self.stage.moving, 3)
        count = len(self.stage.of("robot/drive/set"))
        self.wait(0.5)
        self.assertEqual(len(self.stage.of("robot/drive/set")), count)
