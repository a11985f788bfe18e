"""The frame of the page: colors, notices, the manifest."""

import json

from selenium.webdriver.common.keys import Keys

from page import NEAR, Page
from stage import wait_for


class Frame(Page):
    def background(self):
        return self.run_script("return getComputedStyle(document.body).backgroundColor")

    def test_theme(self):
        """The colors follow the system or the choice, which the browser keeps."""
        light = self.background()
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        dark = wait_for("dark", lambda: self.background() != light and self.background(), 3)
        theme = "#header .field:nth-of-type(2) select"
        self.choose(theme, "light")
        wait_for("light", lambda: self.background() == light, 3)
        self.driver.refresh()
        self.find("nav a")
        self.assertEqual(self.background(), light)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
        self.choose(theme, "dark")
        wait_for("dark", lambda: self.background() == dark, 3)
        self.choose(theme, "system")
        wait_for("the system's", lambda: self.background() == light, 3)

    def test_notices(self):
        """What the page has announced stays in a list, newest first."""
        wait_for("the connection", lambda: self.text("#state") == "connected")
        for request, words in [("disconnect", "wrist is offline."), ("connect", "wrist is online again.")]:
            self.stage.publish(f"bridge/test/request/{request}", "wrist")
            wait_for(words, lambda: words in self.text("#notices"), 20)
        wait_for("the count", lambda: "2" in self.text("#header .history"), 5)
        self.find("#header .history").click()
        texts = wait_for("the list", lambda: self.run_script("return [...document.querySelectorAll('dialog li')].map((e) => e.textContent)"))
        self.assertIn("wrist is online again.", texts[0])
        self.assertIn("wrist is offline.", texts[1])
        self.button("dialog", "Close").click()
        wait_for("it is closed", lambda: not self.driver.find_elements("css selector", "dialog"))
        self.assertNotIn("2", self.text("#header .history"))

    def test_settings(self):
        """The settings name the roles of the session, have no second sign in their button, and close with Escape."""
        summary = self.find(".settings summary")
        summary.click()
        wait_for("the roles", lambda: "Your roles: viewer, operator, driver, typist" in self.text(".settings"), 5)
        self.assertIn(self.run_script("return getComputedStyle(arguments[0], '::before').content", summary), ["none", "normal"])
        self.choose("#header .field:nth-of-type(2) select", "system")
        self.find("#header .field:nth-of-type(2) select").send_keys(Keys.ESCAPE)
        wait_for("it is closed", lambda: not self.run_script("return document.querySelector('.settings').open"), 3)
        self.assertEqual(self.driver.switch_to.active_element, summary)

    def test_bridges(self):
        """The status bar counts the bridges that are online."""
        for state, online in [("offline", 1), ("online", 2)]:
            self.retain("bridge/zz/availability", state)
            wait_for(state, lambda: self.text(".brand > small") == f"Bridge: {online} of 2 online", NEAR)

    def test_manifest(self):
        """The page can be installed: its manifest and icon are served, and allowed by its policy."""
        text = self.driver.execute_async_script("""
            const done = arguments[0];
            fetch(document.querySelector("link[rel=manifest]").href).then(async (answer) => {
              const manifest = await answer.json();
              const icon = await fetch(manifest.icons[0].src);
              done(JSON.stringify({type: answer.headers.get("content-type"), manifest, icon: icon.status}));
            }, (error) => done(String(error)));""")
        found = json.loads(text)
        self.assertEqual((found["type"], found["icon"]), ("application/manifest+json", 200))
        self.assertEqual((found["manifest"]["name"], found["manifest"]["display"]), ("Tactile Bridge", "standalone"))
        self.assertEqual(self.complaints(), [])
