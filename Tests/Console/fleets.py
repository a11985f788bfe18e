"""The fleet view: drain, the requests to a bridge, differences, log lines."""

import json
import tempfile
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from page import Page
from stage import NAMES, wait_for

ENTRY = "roster/c0ffee00be02"


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

    def test_device_elsewhere(self):
        """A device of a bridge that another bridge uses has a chip in both lanes, which names the other bridge."""
        self.retain("bridge/zz/availability", "online")
        self.retain("bridge/zz/devices", [{"name": "belt", "family": "belt", "address": "C0:FF:EE:00:BE:01"}])
        wait_for("the chip", lambda: "beltBridge: test" in self.text("[data-bridge=zz] .chips"), 5)
        wait_for("the chip of its bridge", lambda: "beltonline" in self.text("[data-bridge=test] .chips"), 5)

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

    def test_drain_of_a_selection(self):
        """The bridges of selected devices are drained after a question that names them."""
        self.show("devices", ".card dl")
        self.find("tb-devices input[aria-label='Select belt']").click()
        self.button("tb-devices .bulk", "Drain their bridges").click()
        self.assertIn("not only the selected ones: test", self.text("dialog"))
        self.button("dialog", "Drain").click()
        self.addCleanup(self.stage.request, "undrain")
        wait_for("the answer", lambda: "1 of 1 answered" in self.text("tb-devices .bulk"), 15)
        wait_for("it drains", lambda: json.loads(self.stage.newest("bridge/test/info"))["draining"], 10)
        self.stage.request("undrain")
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
        # The recording stays in the list, with its size.
        path = json.loads(self.stage.newest("bridge/test/event"))["path"]
        items = lambda: self.run_script("return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent)", f"{self.section('Record')} li")
        wait_for("the list", lambda: any(item.startswith(f"File: {path} (") and item.endswith(" B)") for item in items()), 5)

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
        wait_for("the refusal", lambda: "The file cannot be read" in self.text(place), 5)
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

    def entry(self):
        return json.loads(self.stage.newest(ENTRY) or "{}")

    def groups(self):
        return json.loads(self.stage.newest("roster/groups") or '{"groups": {}}')["groups"]

    def choose_tap(self):
        wait_for("the entry", lambda: self.entry().get("name") == "tap/00be02", 20)
        self.choose(self.control("Device"), "C0:FF:EE:00:BE:02")
        self.find("tb-fleet .roster fieldset")

    def test_preference(self):
        """A device prefers a bridge by the menu and by a drag; the message is retained, and its other fields stay."""
        self.choose_tap()
        before = self.entry()
        for wanted in ["test", ""]:
            self.choose(self.control("Preferred bridge"), wanted)
            wait_for("the roster", lambda: self.entry()["preferred"] == ([wanted] if wanted else []), 10)
            wait_for("the answer", lambda: "Done" in self.text("tb-fleet .roster .answer"), 5)
        self.assertEqual({**self.entry(), "by": 0, "time": 0}, {**before, "preferred": [], "by": 0, "time": 0})
        self.run_script("""
            const chip = [...document.querySelectorAll(".chips a")].find((e) => e.textContent.includes("tap/00be02"));
            const dataTransfer = new DataTransfer();
            const fire = (target, type) => target.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer}));
            fire(chip, "dragstart");
            if (fire(chip.closest(".lane"), "dragover")) throw new Error("the lane takes no drop");
            fire(chip.closest(".lane"), "drop");""")
        wait_for("the roster", lambda: self.entry()["preferred"] == ["test"], 10)
        wait_for("the answer", lambda: "Done" in self.text("[data-bridge=test]"), 5)
        wait_for("the chip", lambda: "prefers test" in self.text(".chips"), 5)
        self.assertEqual(self.violations(), [])
        self.assertEqual(json.loads(self.stage.retained(ENTRY))["preferred"], ["test"])
        self.choose(self.control("Preferred bridge"), "")
        wait_for("the roster", lambda: self.entry()["preferred"] == [], 10)

    def test_groups(self):
        """A device joins a new group, which the bridge then serves, and leaves it again."""
        self.choose_tap()
        field = self.find(self.control("Another group"))
        field.send_keys("belt")
        self.button("tb-fleet .roster", "Add to the group").click()
        wait_for("the refusal", lambda: "Found belt; allowed" in self.text("tb-fleet .roster .trouble"), 5)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys("crew")
        self.button("tb-fleet .roster", "Add to the group").click()
        wait_for("the roster", lambda: self.groups().get("crew") == ["tap/00be02"], 10)
        crew = lambda: {"group": "crew", "members": ["tap/00be02"]} in json.loads(self.stage.newest("bridge/test/groups"))
        wait_for("the bridge", crew, 10)
        wait_for("the empty field", lambda: field.get_attribute("value") == "" and self.text("tb-fleet .roster .trouble") == "", 5)
        self.find("tb-fleet .roster fieldset label:has(input:checked)").click()
        wait_for("the roster", lambda: "crew" not in self.groups(), 10)
        wait_for("the bridge", lambda: not crew(), 10)

    def test_viewer(self):
        """A viewer sees the fleet, and each request is locked with the role that allows it."""
        self.load(self.stage.other_console("fleet-viewers"))
        self.show("fleet", ".lane dl")
        wait_for("the lock", lambda: "Needs the role: admin" in self.text("[data-bridge=test]"), 5)
        self.open_host()
        open_ = lambda: self.run_script("return [...document.querySelectorAll('tb-fleet .host button')].filter((e) => !e.disabled).map((e) => e.textContent)")
        wait_for("the locks", lambda: open_() == [], 5)
        wait_for("the roster", lambda: "Needs the role: admin" in self.text("tb-fleet .roster"), 5)
        self.choose(self.control("Device"), "C0:FF:EE:00:BE:02")
        self.assertFalse(self.find(self.control("Preferred bridge")).is_enabled())
