"""The view of a TAP: taps, text, vibration, settings, and who may see taps."""

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
