"""The view of a TAP: taps, text, vibration, settings, and who may see taps."""

from selenium.webdriver.common.keys import Keys

from page import Page
from stage import wait_for

TAP = "tap/00be02"
SETTINGS = "tb-tap .columns > section:last-child dl"


class Taps(Page):
    def show_tap(self):
        """Shows the view, and waits until it receives the topics of the TAP."""
        self.show("tap", ".hand")
        wait_for("its topics", lambda: "Layerbase" in self.text("tb-tap"), 5)

    def test_taps(self):
        """Taps are shown as fingers, key and combination, and as text by the factory map."""
        self.show_tap()
        for combination, words, text in [(5, "thumb + middle · D · 5", "D"), (1, "thumb · A · 1", "DA"), (31, "Space · 31", "DA ")]:
            self.stage.act(f"tap {combination}")
            wait_for(words, lambda: words in self.text("tb-tap .big") and self.text("tb-tap .typed") == text, 5)
        self.assertEqual(len(self.run_script("return [...document.querySelectorAll('tb-tap ol[aria-label] li')]")), 3)
        wait_for("no finger glows", lambda: self.run_script("return document.querySelectorAll('tb-tap .glow').length") == 0, 5)
        self.button("tb-tap", "Clear").click()
        wait_for("nothing", lambda: "No tap yet" in self.text("tb-tap .big") and self.text("tb-tap .typed") == "", 5)

    def test_actions(self):
        """The layer of gestures and the last action are shown."""
        self.show_tap()
        for action, layer in [("lights_off", "media"), ("next", "base")]:
            self.stage.act("tap 24")
            wait_for(action, lambda: f"Layer{layer}Last action{action}" in self.text("tb-tap"), 5)

    def type(self, label, text):
        field = self.find(self.control(label))
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(text or Keys.DELETE)

    def recorded(self):
        return self.run_script("return [...document.querySelectorAll('tb-tap .gestures form .row button')].map((e) => e.textContent)")

    def record(self, *taps):
        """Records taps of combinations, each as an input."""
        self.button("tb-tap .gestures", "Tap it now").click()
        wait_for("it records", lambda: "Make the gesture" in self.text("tb-tap .gestures"), 5)
        for place, combination in enumerate(taps):
            self.stage.act(f"tap {combination}")
            wait_for(f"tap {combination}", lambda: len(self.recorded()) == place + 1, 5)
        self.button("tb-tap .gestures", "Tap it now").click()

    def file(self):
        return self.text("tb-tap .gestures pre")

    def test_editor(self):
        """Taps are recorded as a gesture file; the bridge accepts it and makes the action."""
        self.show_tap()
        self.type("Action", "Lights")
        self.button("tb-tap .gestures", "Add the gesture").click()
        wait_for("no input", lambda: "Record the gesture first" in self.text("tb-tap .gestures"), 5)
        self.record(3, 16)
        self.assertEqual(self.recorded(), ["tapped thumb+index ✕", "tapped pinky ✕"])
        self.button("tb-tap .gestures", "Add the gesture").click()
        wait_for("the name", lambda: "Found “Lights”" in self.text("tb-tap .gestures"), 5)
        self.type("Action", "recorded")
        self.type("Layer after it", "second")
        self.button("tb-tap .gestures", "Add the gesture").click()
        wait_for("the layer", lambda: "no gesture in the layer second" in self.text("tb-tap .gestures"), 5)
        self.record(16, 3)
        self.find("tb-tap .gestures form .row button").click()
        wait_for("one input", lambda: self.recorded() == ["tapped thumb+index ✕"], 5)
        self.type("Action", "")
        self.type("In the layer", "second")
        self.type("Layer after it", "base")
        self.button("tb-tap .gestures", "Add the gesture").click()
        wait_for("the file", lambda: "second:" in self.file(), 5)
        self.assertNotIn("no gesture in the layer", self.text("tb-tap .gestures"))
        self.assertIn("- { inputs: [tapped thumb+index, tapped pinky], action: recorded, layer: second }", self.file())
        self.assertIn("- { inputs: tapped thumb+index, layer: base }", self.file())
        self.assertEqual(self.violations(), [])
        self.apply(self.file())
        self.assertTrue(any(self.makes_action() for _ in range(20)))
        wait_for("the layer", lambda: "Layersecond" in self.text("tb-tap"), 5)
        self.stage.act("tap 3")
        wait_for("the layer", lambda: "Layerbase" in self.text("tb-tap"), 5)

    def makes_action(self):
        """Whether the recorded gesture makes its action; the bridge needs a moment to apply a new file."""
        for combination in [3, 16]:
            self.stage.act(f"tap {combination}")
        try:
            return wait_for("the action", lambda: '"action":"recorded"' in (self.stage.newest(f"{TAP}/action") or ""), 1)
        except AssertionError:
            return False

    def apply(self, text):
        """Gives the bridge a gesture file that goes ahead of its own, until the end of the test."""
        file = self.stage.folder / "gestures/a.yaml"
        self.addCleanup(self.reload)
        self.addCleanup(file.unlink)
        file.write_text(text)
        self.reload()

    def reload(self):
        answer = self.stage.request("reload")
        self.assertEqual(answer["status"], "ok", answer)

    def test_vibration(self):
        self.show("tap", ".hand")
        before = len(self.stage.of(f"{TAP}/haptic"))
        self.button("tb-tap", "Play").click()
        wait_for("the answer", lambda: "Done" in self.text("tb-tap .answer"), 10)
        wait_for("the pattern", lambda: len(self.stage.of(f"{TAP}/haptic")) > before)
        self.button("tb-tap", "Short vibration").click()
        wait_for("the answer", lambda: "Done" in self.text("tb-tap .answer"), 10)

    def test_mode(self):
        """The mode is set with a form, and the page shows what the TAP confirms."""
        self.addCleanup(self.stage.publish, f"{TAP}/input_mode/set", "controller")
        self.show("tap", ".hand")
        wait_for("the mode", lambda: "Input modecontroller" in self.text(SETTINGS), 5)
        self.run_script("document.querySelector('tb-tap details').open = true")
        self.choose("tb-tap details select", "raw")
        self.button("tb-tap details", "Send").click()
        wait_for("the mode", lambda: self.stage.newest(f"{TAP}/input_mode") == "raw")
        wait_for("the page", lambda: "Input moderaw" in self.text(SETTINGS), 5)

    def test_viewer(self):
        """A viewer receives no taps, and the page states which role does."""
        self.load(self.stage.other_console("tap-viewers"))
        self.show("tap", ".hand")
        wait_for("the role", lambda: "Only users with the role typist" in self.text("tb-tap"), 5)
        before = len(self.stage.of(f"{TAP}/tapped"))
        self.stage.act("tap 5")
        wait_for("the tap", lambda: len(self.stage.of(f"{TAP}/tapped")) > before)
        self.wait(0.5)
        self.assertIn("No tap yet", self.text("tb-tap .big"))
