"""Shared parts of the console's page tests: a browser, and functions to find elements."""

import json
import time
import unittest
from pathlib import Path

import axe_selenium_python
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By

from stage import browser, wait_for

AXE = (Path(axe_selenium_python.__file__).parent / "node_modules/axe-core/axe.min.js").read_text()
NEAR = 3.5 # seconds within which the page shows what is true; 3 s, and what this machine takes to look
VIEWS = ["home", "devices", "belt", "tap", "robot", "patterns", "live", "fleet"]


class Page(unittest.TestCase):
    stage = None
    width, dark, language = 1280, False, "en"

    def setUp(self):
        self.prepare(self.stage.link)

    def prepare(self, link):
        self.driver = browser(self.width, 900, self.dark, self.language)
        self.addCleanup(self.quit)
        self.load(link)

    def load(self, link):
        self.driver.get(link)
        self.find("nav a")

    def quit(self):
        try:
            self.driver.quit()
        except WebDriverException:
            pass # the test has killed it

    def find(self, css):
        def shown():
            try:
                return next((e for e in self.driver.find_elements(By.CSS_SELECTOR, css) if e.is_displayed()), None)
            except StaleElementReferenceException:
                return None
        return wait_for(css, shown)

    def button(self, place, text):
        """The button with a text in a part of the page."""
        def shown():
            try:
                return next((e for e in self.driver.find_elements(By.CSS_SELECTOR, f"{place} button")
                             if e.is_displayed() and e.text == text), None)
            except StaleElementReferenceException:
                return None
        return wait_for(f"a button {text}", shown)

    def show(self, view, ready):
        self.run_script("location.hash = arguments[0]", f"#/{view}")
        return self.find(f"tb-{view} {ready}")

    def run_script(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, css):
        return self.run_script("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def choose(self, css, value):
        """Chooses in a select, or sets another control, as the user does."""
        wait_for(f"{value} in {css}", lambda: self.run_script("""
            const control = document.querySelector(arguments[0]);
            if (!control) return false;
            control.value = arguments[1];
            if (control.value !== arguments[1]) return false;
            for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, {bubbles: true}));
            return true;""", css, value))

    def control(self, label):
        """The selector of the control with a label."""
        return "#" + wait_for(label, lambda: self.run_script("""
            return [...document.querySelectorAll('main label')].find((e) => e.textContent === arguments[0])?.htmlFor""", label))

    def violations(self):
        """The rules of accessibility that axe finds broken, each with its elements."""
        self.run_script(AXE)
        found = self.driver.execute_async_script("""
            const done = arguments[0];
            axe.run(document).then((r) => done(r.violations), (e) => done([String(e)]))""")
        return [(one["id"], [node["target"] for node in one["nodes"]]) if isinstance(one, dict) else one for one in found]

    def complaints(self):
        return [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]

    def retain(self, topic, value):
        """Publishes a retained message, which is cleared after the test."""
        self.addCleanup(self.stage.publish, topic, "", True)
        self.stage.publish(topic, value if isinstance(value, str) else json.dumps(value), True)

    def wait(self, seconds):
        """Waits for a time that the test requires."""
        time.sleep(seconds)
