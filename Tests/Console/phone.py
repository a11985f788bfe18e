"""A phone in both positions: what lies where, and what stays where it is."""

import json

from page import NEAR, VIEWS, Page
from stage import resize, wait_for

SIZES = [(640, 360), (360, 640)]


class Phone(Page):
    def test_cockpit(self):
        """Without scrolling, nothing covers the robot's controls or leaves the screen, and the stick stays where it is when the emergency stop is set."""
        self.stage.power()
        self.addCleanup(self.stage.power)
        self.addCleanup(wait_for, "the end of the stop", lambda: not json.loads(self.stage.newest("robot/status"))["blocked_by"])
        self.show("robot", ".pad")
        ready = "Ready: hold the stick to drive"
        for size in SIZES:
            resize(self.driver, *size)
            wait_for("ready", lambda: self.text("tb-robot .big") == ready, 10)
            self.assertNotIn("Cannot drive because", self.text("tb-robot"))
            self.assertEqual(self.hidden(), [], size)
            place = self.stick()
            self.stage.publish("robot/emergency_stop/set", "{}")
            wait_for("the word", lambda: self.text("tb-robot .big") == "Emergency stop is set", NEAR)
            self.button("tb-robot", "Release the emergency stop, power on")
            self.assertEqual(self.hidden(), [], size)
            self.assertEqual(self.stick(), place, size)
            wait_for("the end of the stop", lambda: not json.loads(self.stage.newest("robot/status"))["blocked_by"])
            self.stage.power()

    def test_notice(self):
        """In landscape a notice moves the robot's controls nowhere, and lies over none of them."""
        resize(self.driver, *SIZES[0])
        self.stage.power()
        self.retain("bridge/zz/availability", "online")
        self.retain("ghost/availability", "online")
        self.retain("bridge/zz/devices", [{"name": "ghost", "family": "buzz", "address": "C0:FF:EE:00:BE:09"}])
        self.show("robot", ".pad")
        wait_for("the robot", lambda: self.text("tb-robot .big") == "Ready: hold the stick to drive", 10)
        self.wait(0.5) # the filters of the device's topics
        place = self.stick()
        self.retain("ghost/availability", "offline")
        wait_for("the notice", lambda: self.text("#notices") == "ghost is offline.", NEAR)
        self.assertEqual(self.stick(), place)
        self.assertEqual(self.hidden(), [])
        self.assertTrue(self.run_script("""
            const notice = document.querySelector("#notices p").getBoundingClientRect();
            return [...document.querySelectorAll(".stops button, .cockpit .pad, .cockpit .turn")].every((control) => {
              const {right, bottom} = control.getBoundingClientRect();
              return right <= notice.left || bottom <= notice.top;
            });"""), "it lies over none")

    def stick(self):
        return self.run_script("const {left, top} = document.querySelector('.pad').getBoundingClientRect(); return [left, top]")

    def hidden(self):
        """The robot's controls of which a corner, or the middle, is not in front on the screen."""
        return self.run_script("""
            return [...document.querySelectorAll(".stops button, .cockpit .pad, .cockpit .turn")].filter((control) => {
              const {left, right, top, bottom} = control.getBoundingClientRect();
              const points = control.matches("button") ? [[left + 7, top + 7], [right - 7, bottom - 7]] : [[(left + right) / 2, top + 3], [(left + right) / 2, bottom - 3]];
              return ![...points, [(left + right) / 2, (top + bottom) / 2]].every(([x, y]) => control.contains(document.elementFromPoint(x, y)));
            }).map((control) => control.textContent || control.className)""")

    def test_menu(self):
        """The row of views shows the view that is open."""
        for size in SIZES:
            resize(self.driver, *size)
            for view in VIEWS:
                self.show(view, "h1")
                self.assertTrue(self.run_script("""
                    const box = document.querySelector("nav").getBoundingClientRect();
                    const {left, right, top, bottom} = document.querySelector("nav [aria-current]").getBoundingClientRect();
                    return left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;"""), (view, size))

    def test_start_of_a_view(self):
        """A view that is opened by a link shows its start."""
        resize(self.driver, 360, 640)
        self.show("fleet", ".lane dl")
        self.run_script("scrollTo(0, 400)")
        wait_for("it is scrolled", lambda: self.run_script("return scrollY") == 400)
        self.run_script("document.querySelector('nav a[href=\"#/live\"]').click()")
        self.find("tb-live h1")
        wait_for("the start", lambda: self.run_script("return scrollY") == 0, 3)

    def test_belt(self):
        """An answer moves no control of the belt."""
        resize(self.driver, 360, 640)
        self.addCleanup(self.stage.publish, "belt/stop/set", "")
        self.show("belt", ".dial")
        place = lambda: self.run_script("return document.querySelector(arguments[0]).getBoundingClientRect().top + scrollY", control)
        control = self.control("Default intensity (%)")
        wait_for("the belt", lambda: "online" in self.text("tb-belt .state") and "unknown" not in self.text("tb-belt dl"))
        before = place()
        self.run_script("arguments[0].click()", self.button("tb-belt", "Stop leading"))
        wait_for("the answer", lambda: "Done" in self.text("tb-belt .answer"))
        self.assertEqual(place(), before)
