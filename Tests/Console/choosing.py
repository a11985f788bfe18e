"""The robot and the belt of a view: chosen by address, and never replaced automatically."""

import json

from selenium.webdriver.common.action_chains import ActionChains

from page import Page
from stage import wait_for

TANK = "C0:FF:EE:00:B0:02"
SASH = "C0:FF:EE:00:BE:0A"


class Choosing(Page):
    """According to their messages the second devices belong to another bridge."""

    def setUp(self):
        self.kept = set()
        self.addCleanup(self.clear)
        self.add(robot="tank", belt="sash")
        super().setUp()
        wait_for("the connection", lambda: self.text("#state") == "connected")

    def retain(self, topic, payload):
        self.kept.add(topic)
        self.stage.publish(topic, payload, retain=True)

    def clear(self):
        for topic in self.kept:
            self.stage.publish(topic, "", retain=True)

    def add(self, robot=None, belt=None):
        """The other bridge has these devices with these names."""
        for name, like in [(robot, "robot"), (belt, "belt")]:
            if name:
                self.retain(f"{name}/features", self.stage.newest(f"{like}/features"))
                self.retain(f"{name}/availability", "online")
        listed = [(robot, "robot", TANK), (belt, "belt", SASH)]
        self.retain("bridge/zz/availability", "online")
        self.retain("bridge/zz/devices", json.dumps(
            [{"name": name, "family": family, "address": address} for name, family, address in listed if name]))

    def chosen(self, view):
        return self.run_script("""
            return [...document.querySelectorAll(`${arguments[0]} select`)].map((e) => e.selectedOptions[0]?.textContent ?? "")""", view)

    def expect(self, view, name):
        wait_for(f"{name} in {view}", lambda: any(name == text for text in self.chosen(view)), 5)

    def test_kept(self):
        """The choice survives another view, a reload, and a rename; when the device is gone, no other replaces it."""
        for view, address, name in [("robot", TANK, "tank"), ("belt", SASH, "sash")]:
            with self.subTest(view):
                place = f"tb-{view}"
                self.show(view, "h1")
                self.choose(self.control(view.capitalize()), address)
                wait_for("the address in the URL", lambda: address.replace(":", "%3A") in self.driver.current_url)
                self.show("devices", "h1")
                self.show(view, "h1")
                self.expect(place, name)
                self.driver.refresh()
                self.find("nav a")
                self.expect(place, name)
                self.add(**{"robot": "tank", "belt": "sash", view: "mule"})
                self.expect(place, "mule")
                wait_for("the word", lambda: "now called mule" in self.text(f"{place} [role=alert]"))
                self.add(**{"robot": "tank", "belt": "sash", view: None})
                wait_for("the reason", lambda: f"{address} is no longer" in self.text(f"{place} [role=alert]"))
                self.expect(place, f"{address} (missing)")
                before = len(self.stage.messages)
                if view == "robot":
                    pad = self.find(".pad")
                    ActionChains(self.driver, duration=0).move_to_element_with_offset(pad, 0, -80).click_and_hold().pause(
                        0.5).release().perform()
                else:
                    self.find(".dial").send_keys("w")
                    self.button(place, "Lead there").click()
                self.wait(0.5)
                sent = [topic for topic, _ in self.stage.messages[before:] if topic.endswith("/set")]
                self.assertEqual(sent, [])
                self.add(robot="tank", belt="sash")
                self.expect(place, name)

    def test_none_without_a_choice(self):
        """Of several robots none is selected before the user chooses."""
        self.show("robot", "h1")
        self.expect("tb-robot", "choose …")
        self.assertEqual(self.find(".pad").get_attribute("aria-disabled"), "true")

    def test_rename_while_held(self):
        """The stick is released when the robot's name disappears."""
        self.stage.power()
        robot = next(entry["address"] for entry in json.loads(self.stage.newest("bridge/test/devices")) if entry["name"] == "robot")
        self.show("robot", "h1")
        self.choose(self.control("Robot"), robot)
        pad = self.find(".pad")
        ActionChains(self.driver, duration=0).move_to_element_with_offset(pad, 0, -80).click_and_hold().perform()
        wait_for("the wheels to turn", lambda: self.stage.moving, 5)
        listed = self.stage.newest("bridge/test/devices")
        self.addCleanup(self.stage.publish, "bridge/test/devices", listed, True)
        self.stage.publish("bridge/test/devices", listed.replace('"robot"', '"gone"', 1), True)
        wait_for("the wheels to stand", lambda: not self.stage.moving, 3)
        wait_for("the reason", lambda: "no longer" in self.text("tb-robot [role=alert]") or "now called" in self.text("tb-robot [role=alert]"))
        ActionChains(self.driver, duration=0).release().perform()
