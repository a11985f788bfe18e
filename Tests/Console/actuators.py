"""The views of belt, patterns and robot, except for the dead man's rules."""

import json
import tempfile
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from page import NEAR, Page
from stage import wait_for


class Belt(Page):
    def navigation(self):
        return json.loads(self.stage.newest("belt/navigation") or "{}")

    def test_slider(self):
        dial = self.show("belt", ".dial")
        dial.send_keys(Keys.HOME)
        dial.send_keys(Keys.PAGE_UP * 4)
        wait_for("the direction", lambda: self.navigation().get("direction") == 90)
        wait_for("the motor", lambda: self.run_script(
            "return document.querySelectorAll('.motor')[4].classList.contains('on')"))
        self.assertEqual(dial.get_attribute("aria-valuetext"), "right, 90 degrees, motor 4")
        dial.send_keys(Keys.ARROW_LEFT)
        wait_for("5 degrees less", lambda: self.navigation().get("direction") == 85)
        self.choose(self.control("Direction measured from"), "magnetic")
        # A message from before the choice that arrives after it.
        self.stage.publish("belt/navigation", json.dumps({"state": "navigating", "direction": 80, "reference": "belt"}))
        wait_for("its direction", lambda: ", 80 degrees" in dial.get_attribute("aria-valuetext"))
        dial.send_keys(Keys.ARROW_RIGHT * 2)
        wait_for("the direction of a map", lambda: self.navigation().get("reference") == "magnetic")
        wait_for("its words", lambda: dial.get_attribute("aria-valuetext").startswith("east, 90 degrees, motor "))
        self.button("tb-belt", "Pause").click()
        wait_for("the pause", lambda: self.navigation().get("state") == "paused")
        self.button("tb-belt", "Lead there").click()
        wait_for("the lead", lambda: self.navigation().get("state") == "navigating")
        self.find("#stop-all").click()
        wait_for("the stop", lambda: self.navigation().get("state") == "stopped")

    def test_exact(self):
        """A press leads in an exact direction, from the front or from the north, whose sides are on the dial."""
        self.addCleanup(self.stage.publish, "belt/stop/set", "")
        self.show("belt", ".dial")
        for reference, word in [("belt", "right"), ("magnetic", "east")]:
            self.choose(self.control("Direction measured from"), reference)
            self.button("tb-belt section:first-of-type", word).click()
            wait_for(word, lambda: (self.navigation().get("direction"), self.navigation().get("reference")) == (90, reference))
        self.assertEqual(self.text("tb-belt .north"), "NESW")

    def test_drag(self):
        """Dragging the ring guides at once; the needle shows the heading."""
        self.stage.publish("belt/orientation/set", "on")
        ring = self.show("belt", ".ring")
        wait_for("the heading", lambda: not self.run_script("return document.querySelector('.north').hasAttribute('hidden')"))
        self.choose(self.control("Direction measured from"), "belt")
        far = int(ring.rect["width"] * 0.36)
        ActionChains(self.driver, duration=50).move_to_element_with_offset(ring, 0, -far).click_and_hold().move_by_offset(
            -far, far).release().perform()
        wait_for("the left", lambda: abs(self.navigation().get("direction", 0) - 270) <= 2)
        self.assertEqual(self.navigation()["reference"], "belt")
        self.assertIn("left", self.text("tb-belt .big"))
        self.button("tb-belt", "Stop leading").click()
        wait_for("the stop", lambda: self.navigation().get("state") == "stopped")

    def test_motor(self):
        """One motor can be tested."""
        self.show("belt", ".dial")
        before = len(self.stage.of("belt/vibration"))
        self.choose(self.control("Motor"), "6")
        self.button("tb-belt", "Test the motor").click()
        strengths = lambda: [json.loads(text).get("strengths", []) for text in self.stage.of("belt/vibration")[before:]]
        wait_for("the motor", lambda: any([place for place, one in enumerate(now) if one] == [6] for now in strengths()))
        wait_for("its end", lambda: not any(strengths()[-1]))

    def test_lost(self):
        """What a belt did that is lost while it leads is shown as not certain, and a command that waits for it as kept."""
        self.addCleanup(self.stage.publish, "belt/stop/set", "")
        leads = lambda: self.navigation().get("state") == "navigating"
        shown = lambda words, live: words in self.text("tb-belt dl") and self.run_script(
            "return document.querySelector('tb-belt .target').classList.contains('live')") == live
        self.show("belt", ".dial")
        self.choose(self.control("Direction measured from"), "belt")
        self.button("tb-belt", "Lead there").click()
        wait_for("the lead", leads)
        wait_for("it leads", lambda: shown("Navigationleading", True), NEAR)
        self.addCleanup(wait_for, "the belt", lambda: self.stage.newest("belt/availability") == "online", 20)
        self.addCleanup(self.stage.publish, "bridge/test/request/connect", "belt")
        self.stage.publish("bridge/test/request/disconnect", "belt")
        wait_for("the loss", lambda: self.stage.newest("belt/availability") == "offline")
        word = {"navigating": "leading"}.get(self.navigation()["state"], self.navigation()["state"])
        wait_for("the doubt", lambda: shown(f"not certain; last: {word}", False), NEAR)
        self.assertNotEqual(self.find("tb-belt .state").get_attribute("data-state"), "online")
        before = len(self.stage.messages)
        self.button("tb-belt", "Lead there").click()
        wait_for("the bridge keeps it", lambda: any('"kept":true' in text for _, text in self.stage.messages[before:]))
        wait_for("the words", lambda: "The command is kept until the device is online again." in self.text("tb-belt .answer"), NEAR)
        self.stage.publish("bridge/test/request/connect", "belt")
        wait_for("the lead", lambda: leads() and self.stage.newest("belt/availability") == "online", 20)
        wait_for("it leads", lambda: shown("Navigationleading", True), NEAR)

    def test_settings(self):
        self.show("belt", ".dial")
        self.choose(self.control("Default intensity (%)"), "70")
        wait_for("the intensity", lambda: self.stage.newest("belt/intensity") == "70")
        before = len(self.stage.of("belt/mode/set"))
        self.choose(self.control("Mode"), "standby")
        self.button("tb-belt", "Set mode").click()
        self.button("dialog", "Cancel").click()
        self.choose(self.control("Mode"), "wait")
        self.button("tb-belt", "Set mode").click()
        wait_for("the command", lambda: len(self.stage.of("belt/mode/set")) > before)
        wait_for("the mode", lambda: self.stage.newest("belt/mode") == "wait")
        self.assertEqual(len(self.stage.of("belt/mode/set")), before + 1, "standby was not confirmed, so it was not sent")
        self.choose(self.control("Mode"), "app")
        self.button("tb-belt", "Set mode").click()
        wait_for("the mode", lambda: self.stage.newest("belt/mode") == "app")


class Patterns(Page):
    def test_shipped(self):
        """The requested pattern is shown next to the rendering of each device, and plays on a device and on a group."""
        self.show("patterns", ".grid canvas")
        self.assertIn("Cannot vibrate: robot", self.text("tb-patterns"))
        self.assertIn("requested", self.text("tb-patterns .legend"))
        for target in ["wrist", "room"]:
            before = len(self.stage.of(f"{target}/haptic/set"))
            self.choose(self.control("Device or group"), target)
            self.find("tb-patterns .primary").click()
            wait_for(f"the pattern at {target}", lambda: len(self.stage.of(f"{target}/haptic/set")) > before)
            wait_for("the answer", lambda: "Done" in self.text("tb-patterns [role=status]"))

    def test_drawn(self):
        """A pattern is drawn, compared, played unchanged, and downloaded as a file of the bridge."""
        folder = Path(tempfile.mkdtemp(dir=self.stage.folder))
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.show("patterns", ".grid canvas")
        self.button("tb-patterns", "Add a step").click()
        self.choose("[data-key='ms 3']", "150")
        self.choose("[data-key='strength 3']", "75")
        canvas = self.find("tb-patterns section:last-of-type canvas")
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
        ActionChains(self.driver, duration=0).move_to_element_with_offset(
            canvas, -int(canvas.rect["width"] / 2) + 60, 0).click().perform()
        painted = int(self.find("[data-key='strength 0']").get_attribute("value"))
        self.assertTrue(30 <= painted <= 70, painted)
        self.button("tb-patterns", "Show the curves").click()
        # All families have one axis. The pattern takes 0.95 s, and a device whose vibrations are longer 1 s.
        wait_for("the curves", lambda: "over 1 s" in self.find("tb-patterns .grid canvas").get_attribute("aria-label"))
        before = len(self.stage.of("belt/haptic/set"))
        self.choose(self.control("Device or group"), "belt")
        self.button("tb-patterns", "Play the drawn pattern").click()
        wait_for("the play", lambda: len(self.stage.of("belt/haptic/set")) > before)
        wait_for("the answer", lambda: "Done" in self.text("tb-patterns [role=status]"))
        events = json.loads(self.stage.newest("belt/haptic/set"))["events"]
        self.assertEqual([(one["time"], one["duration"], one["intensity"]) for one in events],
                         [(0, 0.2, painted / 100), (0.4, 0.4, 0.5), (0.8, 0.15, 0.75)])
        self.button("tb-patterns", "Download").click()
        file = folder / "drawn.yaml"
        wait_for("the file", lambda: file.exists() and file.stat().st_size)
        self.assertEqual(json.loads(file.read_text())["events"], events)


    def test_opened(self):
        """An AHAP file is compared with what devices produce, and played unchanged; a comma after a last element does not matter."""
        folder = Path(tempfile.mkdtemp(dir=self.stage.folder))
        event = {"EventType": "HapticTransient", "Time": 0, "EventParameters": [{"ParameterID": "HapticIntensity", "ParameterValue": 0.6}]}
        text = json.dumps({"Version": 1, "Pattern": [{"Event": event}, {"Event": {**event, "Time": 0.5}}]})
        (folder / "two.ahap").write_text(text.replace("}]}", "},]}"))
        (folder / "torn.ahap").write_text(text[:-1])
        self.show("patterns", ".grid canvas")
        field = self.find(self.control("Open an AHAP file"))
        field.send_keys(str(folder / "torn.ahap"))
        wait_for("the refusal", lambda: "The file cannot be read" in self.text("tb-patterns .trouble"), 5)
        field.send_keys(str(folder / "two.ahap"))
        wait_for("the name", lambda: "two.ahap" in self.text("tb-patterns select:has(option[value='*opened*'])"), 5)
        wait_for("the curves", lambda: "0.7 s" in self.find("tb-patterns .grid canvas").get_attribute("aria-label"), 5)
        self.choose(self.control("Device or group"), "belt")
        before = len(self.stage.of("belt/haptic/set"))
        self.find("tb-patterns .primary").click()
        wait_for("the play", lambda: len(self.stage.of("belt/haptic/set")) > before)
        self.assertEqual(json.loads(self.stage.newest("belt/haptic/set"))["ahap"], json.loads(text))
        wait_for("the answer", lambda: "Done" in self.text("tb-patterns .answer"))


class Robot(Page):
    def test_cap(self):
        """The speed limit applies to drives."""
        self.stage.power()
        pad = self.show("robot", ".pad")
        self.choose(self.control("Speed limit"), "20")
        before = len(self.stage.of("robot/drive/set"))
        ActionChains(self.driver, duration=0).move_to_element_with_offset(pad, 0, -100).click_and_hold().perform()
        wait_for("the wheels to turn", lambda: self.stage.moving, 5)
        wait_for("the round trip", lambda: "ms" in self.text("tb-robot .cap ~ p"))
        ActionChains(self.driver, duration=0).release().perform()
        drives = [json.loads(text) for text in self.stage.of("robot/drive/set")[before:]]
        self.assertTrue(drives and all(0 < drive["y"] <= 0.2 for drive in drives), drives)
        wait_for("the wheels to stand", lambda: not self.stage.moving, 3)

    def test_turn(self):
        self.stage.power()
        bar = self.show("robot", ".turn")
        before = len(self.stage.of("robot/drive/set"))
        ActionChains(self.driver, duration=0).move_to_element_with_offset(
            bar, int(bar.rect["width"] * 0.4), 0).click_and_hold().perform()
        wait_for("the wheels to turn", lambda: self.stage.moving, 5)
        ActionChains(self.driver, duration=0).release().perform()
        drives = [json.loads(text) for text in self.stage.of("robot/drive/set")[before:]]
        self.assertTrue(all(drive["turn"] > 0 and drive["y"] == 0 for drive in drives), drives)
        wait_for("the wheels to stand", lambda: not self.stage.moving, 3)

    def test_emergency_stop(self):
        """The emergency stop latches, shows a text, and is released only by power."""
        self.stage.power()
        self.show("robot", ".pad")
        self.button("tb-robot", "Emergency stop").click()
        wait_for("the word", lambda: self.text("tb-robot .big") == "Emergency stop is set")
        self.assertIn("the emergency stop", self.text("tb-robot dl"))
        self.assertTrue(json.loads(self.stage.newest("robot/status"))["emergency_stop"])
        # A stop blocks motion for half a second, whatever is sent.
        wait_for("the end of the stop", lambda: not json.loads(self.stage.newest("robot/status"))["blocked_by"])
        self.button("tb-robot", "Release the emergency stop, power on").click()
        wait_for("ready", lambda: self.text("tb-robot .big") == "Ready: hold the stick to drive", 10)
        self.find("#stop-all").click()
        wait_for("why it stands", lambda: "a stop of all devices" in self.text("tb-robot dl"))

    def test_double_press(self):
        """The second press of a double press does not switch off what the first has switched on."""
        self.stage.power()
        self.stage.publish("robot/power/set", "off")
        powered = lambda: json.loads(self.stage.newest("robot/status"))["power"]
        wait_for("power off", lambda: not powered())
        self.show("robot", ".pad")
        before = len(self.stage.of("robot/power/set"))
        button = self.button("tb-robot", "Power on")
        for _ in range(2):
            button.click()
        wait_for("power on", lambda: powered() and button.text == "Power off", NEAR)
        self.assertEqual(len(self.stage.of("robot/power/set")), before + 1)
        self.wait(1)
        button.click()
        wait_for("power off", lambda: not powered(), NEAR)

    def test_not_by_this_page(self):
        """The page warns when the robot moves without a drive from the page."""
        self.stage.power()
        self.show("robot", ".pad")
        self.stage.publish("robot/drive/set", '{"y":0.3,"duration_ms":1500}')
        wait_for("the warning", lambda: self.text("tb-robot .big") == "The robot moves without a command from this page", 3)
        wait_for("the end", lambda: not self.stage.moving, 5)

    def test_nobody_answers(self):
        """The first drive of a hold has an id: if no bridge answers, the page reports it."""
        self.stage.power()
        pad = self.show("robot", ".pad")
        self.stage.bridge.send_signal(19)
        self.addCleanup(self.stage.bridge.send_signal, 18)
        ActionChains(self.driver, duration=0).move_to_element_with_offset(pad, 0, -100).click_and_hold().perform()
        wait_for("the word", lambda: "not allowed, or no bridge" in self.text("tb-robot")
                 or "no bridge answers" in self.text("tb-robot"), 5)
        ActionChains(self.driver, duration=0).release().perform()
