"""Rules for every view: STOP, the keyboard, the live regions, the connection."""

import json
import time

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from page import VIEWS, Page
from stage import resize, wait_for


class Views(Page):
    def stops(self):
        return len(self.stage.of("all/stop/set"))

    def shift_escape(self):
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(Keys.ESCAPE).key_up(Keys.SHIFT).perform()

    def test_stop_in_every_view(self):
        for view in VIEWS:
            self.show(view, "h1")
            for act in [lambda: self.find("#stop-all").click(), self.shift_escape]:
                before = self.stops()
                act()
                wait_for(f"stop in {view}", lambda: self.stops() > before, 3)

    def test_stop_in_a_dialog(self):
        self.show("devices", "summary")
        # A card that is drawn later has its own closed details.
        wait_for("a device that can be renamed", lambda: "Rename" in self.text("tb-devices"))
        self.run_script("for (const more of document.querySelectorAll('details')) more.open = true")
        self.button("tb-devices", "Rename").click()
        self.find("dialog[open]")
        for act in [lambda: self.find("dialog #stop-all").click(), self.shift_escape]:
            before = self.stops()
            act()
            wait_for("stop in a dialog", lambda: self.stops() > before, 3)
            self.assertTrue(self.find("dialog[open]"), "the question still stands")

    def test_stop_on_a_phone(self):
        """STOP is in the lower right corner of a phone, 64 px wide and high, in front of everything."""
        resize(self.driver, 320, 640)
        for view in VIEWS:
            self.show(view, "h1")
            box = self.run_script("""
                const {left, right, top, bottom} = document.getElementById("stop-all").getBoundingClientRect();
                const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
                return {width: right - left, height: bottom - top, under: innerHeight - bottom,
                  hit: hit.closest("#stop-all") !== null};""")
            self.assertTrue(box["hit"], view)
            self.assertGreaterEqual(box["width"], 64, view)
            self.assertGreaterEqual(box["height"], 64, view)
            self.assertLess(box["under"], 12, view)

    def test_token_leaves_the_address(self):
        self.assertNotIn("token", self.driver.current_url)
        self.assertEqual(self.complaints(), [])

    def test_no_other_origin(self):
        for view in VIEWS:
            self.show(view, "h1")
        asked = self.run_script("return performance.getEntriesByType('resource').map((e) => new URL(e.name).origin)")
        self.assertGreater(len(asked), 5)
        self.assertEqual(set(asked), {self.stage.address("")[:-1]})

    def test_console_gone(self):
        """STOP reports that neither path works, and the page reconnects automatically."""
        self.end_console()
        try:
            wait_for("the word", lambda: "no connection" in self.text("#state"))
            self.find("#stop-all").click()
            wait_for("the truth", lambda: "NOT SENT" in self.text("#stop-state"))
            # No attempt to reconnect hides the report.
            self.wait(3)
            self.assertIn("NOT SENT", self.text("#stop-state"))
        finally:
            self.stage.start_console()
        # The login survives the restart.
        wait_for("the connection", lambda: self.text("#state") == "connected", 20)

    def test_session(self):
        """The socket of an open page prolongs its session, and the session survives a restart."""
        self.end_console()
        start = time.time()
        self.stage.start_console()
        ready = time.time()
        wait_for("the connection", lambda: self.text("#state") == "connected", 10)
        # The console renews the sessions of open pages every 20 s.
        self.wait(ready + 21 - time.time())
        self.end_console()
        self.stage.start_console()
        saved = json.loads(next(self.stage.folder.glob("console/**/console-sessions")).read_text())
        self.assertGreaterEqual(max(session["seen"] for session in saved), int(start) + 19, saved)
        wait_for("the connection", lambda: self.text("#state") == "connected", 20)

    def end_console(self):
        self.stage.console.terminate()
        self.stage.console.wait(15)

    def test_keyboard_alone(self):
        """Tab reaches every view and STOP, and the focus is visible."""
        reached = set()
        for _ in range(60):
            ActionChains(self.driver).send_keys(Keys.TAB).perform()
            reached.add(self.run_script(
                "const e = document.activeElement; return e.id || e.hash || e.tagName"))
            outline = self.run_script("return getComputedStyle(document.activeElement).outlineStyle")
            self.assertIn(outline, ["solid", "none"] if "BODY" in reached else ["solid"])
        self.assertLessEqual({"stop-all", *[f"#/{view}" for view in VIEWS]}, reached)

    def test_keyboard_walk(self):
        """Without a pointer: to each view, to each of its controls, and one command from there."""
        for view in VIEWS:
            self.run_script("document.activeElement?.blur(); document.querySelector('#header').focus()")
            self.tab_to(lambda: self.run_script("return document.activeElement.hash") == f"#/{view}")
            self.press(Keys.ENTER)
            self.find(f"tb-{view} h1")
            wanted = self.run_script("""
                const all = [...document.querySelectorAll('main :is(a, button, select, input, summary, [tabindex="0"])')];
                const shown = all.filter((e) => e.checkVisibility() && !e.disabled);
                shown.forEach((e, place) => { e.dataset.walk = place; });
                return shown.length;""")
            self.assertGreater(wanted, 3, view)
            reached = set()
            for _ in range(wanted + 40):
                self.press(Keys.TAB)
                reached.add(self.run_script("return document.activeElement?.dataset.walk ?? null"))
                if len(reached - {None}) == wanted:
                    break
            self.assertEqual(len(reached - {None}), wanted, view)
        self.show("belt", ".dial")
        self.tab_to(lambda: self.run_script("return document.activeElement.className") == "dial")
        self.press(Keys.HOME)
        self.press(Keys.ARROW_UP)
        wait_for("the belt leads", lambda: '"direction":5' in (self.stage.newest("belt/navigation") or ""))
        self.shift_escape()

    def tab_to(self, there):
        for _ in range(120):
            if there():
                return
            self.press(Keys.TAB)
        self.fail("Tab does not come there")

    def press(self, key):
        ActionChains(self.driver).send_keys(key).perform()

    def test_targets(self):
        """Controls are at least 44 px high and wide."""
        resize(self.driver, 320)
        for view in VIEWS:
            self.show(view, "h1")
            small = self.run_script("""
                const all = document.querySelectorAll("button, a:not(.skip), select, input, summary, [role=slider]");
                return [...all].filter((e) => e.checkVisibility()).map((e) => e.closest("label.check") ?? e).filter((e) => {
                  const {width, height} = e.getBoundingClientRect();
                  return width < 44 || height < 44;
                }).map((e) => e.outerHTML.slice(0, 80));""")
            self.assertEqual(small, [], view)

    def test_live_regions_tell_no_streams(self):
        """A screen reader announces states, but not every turn of the wearer."""
        self.stage.publish("belt/orientation/set", "on")
        for view in ["belt", "live"]:
            self.show(view, "h1")
            self.wait(1)
            before = len(self.stage.of("belt/orientation"))
            self.run_script("""
                window.told = [];
                const heard = "[role=status], [role=alert], [role=log], [aria-live]";
                new MutationObserver((changes) => {
                  for (const {target} of changes) {
                    const region = (target.closest ? target : target.parentElement)?.closest(heard);
                    if (region) window.told.push(region.textContent);
                  }
                }).observe(document.body, {subtree: true, childList: true, characterData: true});""")
            wait_for("ten messages", lambda: len(self.stage.of("belt/orientation")) >= before + 10, 20)
            self.assertEqual(self.run_script("return window.told"), [], view)

    def test_language(self):
        """The menu changes the language, and the browser saves it."""
        self.assertEqual(self.text("h1"), "Home")
        self.choose("#header select", "de")
        wait_for("German", lambda: self.text("h1") == "Start")
        self.driver.refresh()
        wait_for("German again", lambda: self.text("h1") == "Start")

    def test_reduced_motion(self):
        duration = "return getComputedStyle(document.querySelector('nav a')).transitionDuration"
        self.assertNotEqual(self.run_script(duration), "0s")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.assertEqual(self.run_script(duration), "0s")
