"""The fleet view: drain, the requests to a bridge, differences, log lines."""

import json
import tempfile
from pathlib import Path

from page import Page
from stage import NAMES, wait_for


class Fleets(Page):
    admins = None

    def setUp(self):
        Fleets.admins = Fleets.admins or self.stage.other_console("admins", roles=["viewer", "operator", "recorder", "restorer", "admin"])
        self.prepare(self.admins)
        self.show("fleet", ".lane dl")

    def state(self):
        return self.run_script("return document.querySelector('[data-bridge=test] .state').dataset.state")

    def open_host(self):
        self.button("[data-bridge=test]", "Requests to the bridge").click()
        self.find("tb-fleet .host")

    def section(self, title):
        """The selector of the requests with a title."""
        return wait_for(title, lambda: self.run_script("""
            const all = [...document.querySelectorAll("tb-fleet .host section")];
            const place = all.findIndex((e) => e.querySelector("h3").textContent === arguments[0]);
            return place < 0 ? null : `tb-fleet .host section:nth-of-type(${place + 1})`;""", title))

    def test_drain(self):
        """Draining closes every link, is shown as a difference, and ends with a press."""
        wait_for("the bridge", lambda: self.state() == "online")
        self.button("[data-bridge=test]", "Drain").click()
        self.button("dialog", "Drain").click()
        wait_for("its progress", lambda: "of 4 links open" in self.text("[data-bridge=test]"), 10)
        wait_for("it drains", lambda: self.state() == "draining" and json.loads(self.stage.newest("bridge/test/info"))["draining"], 10)
        wait_for("all links are closed", lambda: "0 of 4 links open" in self.text("[data-bridge=test]"), 30)
        wait_for("the difference", lambda: "Bridge test is draining" in self.text("tb-fleet .findings"), 5)
        self.button("[data-bridge=test]", "Stop draining").click()
        wait_for("its end", lambda: self.state() == "online", 10)
        for name in NAMES:
            wait_for(name, lambda: self.stage.newest(f"{name}/availability") == "online", 40)

    def test_requests(self):
        """Health, reload, log level, recording and defaults, each with its answer."""
        self.open_host()
        for title, button, words in [
            ("Health check", "Health check", "reports no problems"), ("Reload the configuration", "Reload the configuration", "Done"),
            ("Log level", "Set", '"level": "info"'), ("Record", "Record", "File: "), ("Record", "End the recording", "bytes"),
            ("Defaults of new TAP connections", "Set", "default_input_mode"),
        ]:
            place = self.section(title)
            self.button(place, button).click()
            wait_for(f"{button}: {words}", lambda: words in self.text(place), 15)
            self.assertNotIn("✗", self.text(place))

    def test_backup(self):
        """A backup is a file, and can be restored."""
        folder = Path(tempfile.mkdtemp(dir=self.stage.folder))
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.open_host()
        place = self.section("Download a backup")
        self.button(place, "Download a backup").click()
        file = folder / "backup-test.json"
        wait_for("the file", lambda: file.exists() and file.stat().st_size, 10)
        self.assertIn("tap/00be02", [device["name"] for device in json.loads(file.read_text())["devices"]])
        wrong = folder / "wrong.json"
        wrong.write_text("{")
        self.find(f"{place} input[type=file]").send_keys(str(wrong))
        wait_for("the refusal", lambda: "The file is not a backup" in self.text(place), 5)
        self.find(f"{place} input[type=file]").send_keys(str(file))
        self.button("dialog", "Restore").click()
        wait_for("the answer", lambda: '"restored"' in self.text(place), 10)

    def test_differences(self):
        """What is wrong on the roster is shown with its remedy."""
        wait_for("none", lambda: "No differences" in self.text("tb-fleet"), 5)
        self.addCleanup(self.stage.publish, "roster/elsewhere", "", True)
        self.stage.publish("roster/elsewhere", "{}", True)
        wait_for("the message", lambda: "roster/elsewhere: every bridge refuses this message" in self.text("tb-fleet .findings"), 5)
        self.assertIn("clear the topic", self.text("tb-fleet .findings"))

    def test_viewer(self):
        """A viewer sees the fleet, and each request is locked with the role that allows it."""
        self.load(self.stage.other_console("fleet-viewers"))
        self.show("fleet", ".lane dl")
        wait_for("the lock", lambda: "Needs the role: admin" in self.text("[data-bridge=test]"), 5)
        self.open_host()
        open_ = lambda: self.run_script("return [...document.querySelectorAll('tb-fleet .host button')].filter((e) => !e.disabled).map((e) => e.textContent)")
        wait_for("the locks", lambda: open_() == [], 5)
