"""The appearance of the page: at all widths, in both color schemes, in both languages."""

import os
import re

from page import VIEWS, Page
from stage import resize, wait_for

SHOWN = [*VIEWS, "add"]
ADDRESSES = ["C0:FF:EE:00:BE:01", "C0:FF:EE:00:BE:02", "C0:FF:EE:00:B0:01", "C0:FF:EE:00:BE:04"]
# The narrowest screen of WCAG 2.2, a phone, a tablet, and two screens of computers.
WIDTHS = [320, 360, 768, 1280, 1920]
READY = {"home": ".tile .good", "tap": ".hand", "fleet": ".lane .good", "devices": ".card .good", "add": ".grid .card", "live": ".tree details", "belt": ".ring", "patterns": ".grid canvas", "robot": ".pad"}


class Looks(Page):
    def test_every_view(self):
        """axe finds no problem, nothing is wider than the screen, and the page's policy is not violated."""
        self.check("light")

    def check(self, scheme):
        for width in WIDTHS:
            for view in SHOWN:
                resize(self.driver, width)
                self.show(view, READY[view])
                wide = self.run_script("return document.documentElement.scrollWidth")
                self.assertLessEqual(wide, width, view)
                self.picture(f"{view}-{width}-{scheme}", width)
                self.assertEqual(self.violations(), [], f"{view} {width} {scheme}")
        self.assertEqual(self.complaints(), [])

    def picture(self, name, width):
        folder = os.environ.get("CONSOLE_PICTURES")
        if not folder:
            return
        height = self.run_script("return document.documentElement.scrollHeight")
        resize(self.driver, width, min(max(height, 700), 1500))
        self.run_script("scrollTo(0, 0)")
        self.driver.save_screenshot(f"{folder}/{name}.png")


class DarkLooks(Looks):
    dark = True

    def test_every_view(self):
        self.check("dark")


class GermanLooks(Looks):
    language = "de"
    scheme = "de"

    def test_every_view(self):
        self.check(self.scheme)
        self.assertEqual(self.run_script("return document.documentElement.lang"), "de")
        self.assertIn("STOPP", self.text("#stop-all"))


class GermanDarkLooks(GermanLooks):
    dark = True
    scheme = "de-dark"


class GermanWords(Page):
    language = "de"

    def test_own_words(self):
        """A form has the page's word for a setting in place of the bridge's English sentence, which is marked as English otherwise."""
        self.show("tap", "details")
        wait_for("the form", lambda: self.run_script("return Boolean(document.querySelector('tb-tap tb-command-form'))"))
        forms = self.run_script("""
            return [...document.querySelectorAll("tb-tap tb-command-form")].map((form) => [form.dataset.topic, form.querySelector("h3 + p").textContent])""")
        self.assertIn(["tap/00be02/input_mode/set", "Eingabemodus"], forms)
        self.show("live", "tb-command-form form")
        self.choose(self.control("Gerät"), "belt")
        self.choose(self.control("Befehl"), "vibrate")
        wait_for("the sentence", lambda: self.run_script("return document.querySelector('tb-live h3 + p [lang]')?.lang") == "en", 5)

    def test_no_english(self):
        """English sentences of the bridge are marked as English, for screen readers; the page itself has none."""
        english = re.compile(r"\b(the|of|is|are|and|with|which|from|when|that|this|not)\b")
        devices = [f"d/{address}/{tab}" for address in ADDRESSES for tab in ["overview", "control", "values"]]
        self.show("devices", ".card .good")
        for view in [*SHOWN, *devices]:
            self.run_script("location.hash = arguments[0]", f"#/{view}")
            self.find("tb-device h2" if view.startswith("d/") else f"tb-{view} {READY[view]}")
            self.run_script("for (const more of document.querySelectorAll('main details')) more.open = true")
            self.wait(0.3)
            shown = self.run_script("""
                const own = (e) => !e.closest("[lang=en], code, pre, .log, .tree");
                const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), texts = [];
                while (walker.nextNode()) if (own(walker.currentNode.parentElement)) texts.push(walker.currentNode.data);
                for (const e of document.querySelectorAll("[aria-label], [title]")) if (own(e)) texts.push(e.ariaLabel ?? "", e.title ?? "");
                return texts;""")
            self.assertGreater(len(shown), 20, view)
            self.assertEqual([text for text in shown if english.search(text)], [], view)
        # What is marked is there, and is English.
        self.run_script("location.hash = arguments[0]", f"#/d/{ADDRESSES[0]}/control")
        wait_for("the hints", lambda: self.run_script("return [...document.querySelectorAll('tb-device small [lang=en]')].map((e) => e.textContent)"), 5)
