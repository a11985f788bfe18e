"""The view of devices: devices with problems first, and a new device from its discovery to its removal."""

import csv
import json
import tempfile
from pathlib import Path

from selenium.webdriver.common.by import By

from page import NEAR, Page
from stage import NAMES, wait_for

STRANGER = "C0:FF:EE:00:BE:05"


class Devices(Page):
    def names(self):
        return self.run_script(
            "return [...document.querySelectorAll('tb-devices article h2')].map((e) => e.textContent)")

    def card(self, name):
        return self.run_script("""
            return [...document.querySelectorAll('tb-devices article')].find(
              (e) => e.querySelector('h2')?.textContent === arguments[0])?.innerText ?? ''""", name)

    def act(self, device, text):
        self.run_script("""
            for (const more of document.querySelectorAll('tb-devices article details')) more.open = true""")
        wait_for(text, lambda: self.run_script("""
            const card = [...document.querySelectorAll('tb-devices article')].find(
              (e) => e.querySelector('h2')?.textContent === arguments[0]);
            const found = [...(card?.querySelectorAll('button') ?? [])].find((e) => e.textContent === arguments[1]);
            found?.click();
            return Boolean(found);""", device, text))

    def test_cards(self):
        self.show("devices", ".card dl")
        wait_for("the cards", lambda: sorted(self.names()) == NAMES)
        self.assertIn("C0:FF:EE:00:BE:01", self.card("belt"))
        wait_for("the battery", lambda: "%" in self.card("belt"))
        self.run_script("location.hash = '#/d/C0:FF:EE:00:B0:01'")
        wait_for("what it does not report", lambda: "Batterynot reported" in self.text("tb-device dl"), NEAR)
        self.assertIn("Firmware", self.text("tb-device dl"))
        self.show("devices", ".card dl")
        # The card states why a configured device cannot be renamed here.
        self.run_script("for (const more of document.querySelectorAll('details')) more.open = true")
        self.assertIn("is in the bridge's configuration", self.card("belt"))
        self.assertNotIn("Rename", self.card("belt").splitlines())
        self.show("fleet", ".lane dl")
        figures = self.text("tb-fleet .lane")
        for word in ["test", "BlueZ", "hci0", "4 of 4"]:
            self.assertIn(word, figures)

    def test_away(self):
        """A device disconnected by the user comes first, with the reason, and reconnects by a button."""
        self.show("devices", ".card dl")
        wait_for("the cards", lambda: sorted(self.names()) == NAMES)
        self.act("robot", "Disconnect")
        wait_for("the robot", lambda: "Last seen" in self.card("robot"))
        # Cards keep their places until the user asks.
        self.assertNotEqual(self.names()[0], "robot")
        self.button("tb-devices", "Sort by trouble").click()
        wait_for("the robot in front", lambda: self.names()[0] == "robot")
        connection = json.loads(self.stage.newest("robot/connection"))
        self.assertTrue(connection.get("reason"), connection)
        self.assertIn("○", self.card("robot"))
        self.assertGreater(len(self.card("robot").split("\n")), 6)
        self.act("robot", "Connect")
        wait_for("the robot is back", lambda: "●" in self.card("robot"), 20)
        wait_for("the word", lambda: self.stage.newest("robot/availability") == "online")

    def test_newcomer(self):
        """A keyboard joins only by its typed address; then it is renamed and forgotten."""
        self.show("add", ".grid .card")
        self.choose("tb-add select", "30")
        self.button("tb-add", "Let a device join test").click()
        wait_for("the countdown", lambda: "Open for" in self.text("tb-add .count"))
        first = self.text("tb-add .count")
        wait_for("it counts", lambda: self.text("tb-add .count") != first)
        self.button("tb-add", "End joining").click()
        wait_for("its end", lambda: self.text("tb-add .count") == "")

        # A bridge that starts publishes the devices in range.
        self.stage.bridge.terminate()
        self.stage.bridge.wait(15)
        self.stage.start_bridge()
        wait_for("the stranger", lambda: STRANGER in self.text("tb-add .found"), 20)
        self.button("tb-add .found", "Let it join").click()
        field = self.find("dialog input")
        field.send_keys("C0:FF:EE:00:BE:06")
        self.button("dialog", "Let it join").click()
        wait_for("the refusal", lambda: "not the address" in self.text("tb-add .found .trouble"))
        self.button("tb-add .found", "Let it join").click()
        self.find("dialog input").send_keys(STRANGER.lower())
        self.button("dialog", "Let it join").click()
        wait_for("the end of the list", lambda: STRANGER not in self.text("tb-add .found"), 30)
        self.show("devices", ".card dl")
        wait_for("the newcomer", lambda: "●" in self.card("tap/00be05"), 30)

        self.act("tap/00be05", "Rename")
        field = self.find("dialog input")
        field.clear()
        field.send_keys("left/hand")
        self.button("dialog", "Rename").click()
        wait_for("the new name", lambda: "●" in self.card("left/hand") and "tap/00be05" not in self.names(), 30)
        forgotten = lambda: len(self.stage.of("bridge/test/request/forget"))
        before = forgotten()
        self.act("left/hand", "Forget")
        wait_for("the time to undo it", lambda: "In 8 s, left/hand loses its name" in self.card("left/hand"), 5)
        self.act("left/hand", "Undo")
        wait_for("it is undone", lambda: "loses its name" not in self.card("left/hand"), 5)
        self.wait(9)
        self.assertEqual(forgotten(), before)
        self.act("left/hand", "Forget")
        wait_for("it is forgotten", lambda: "left/hand" not in self.names(), 20)
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "dialog"), [])

    def test_several(self):
        """One request to several devices, with the outcome of each."""
        self.show("devices", ".card dl")
        wait_for("the cards", lambda: sorted(self.names()) == NAMES)
        for name in ["belt", "wrist"]:
            self.find(f"tb-devices input[aria-label='Select {name}']").click()
        wait_for("the count", lambda: "2 selected" in self.text("tb-devices .bulk"))
        # Both are in the configuration, which the bridge does not edit.
        forget = self.button("tb-devices .bulk", "Forget")
        wait_for("the lock", lambda: not forget.is_enabled(), 5)
        for action, state in [("Disconnect", "offline"), ("Connect", "online")]:
            self.button("tb-devices .bulk", action).click()
            wait_for("the answers", lambda: "2 of 2 answered" in self.text("tb-devices .bulk"), 30)
            self.assertNotIn("✗", self.text("tb-devices .bulk"))
            for name in ["belt", "wrist"]:
                wait_for(f"{name} is {state}", lambda: self.stage.newest(f"{name}/availability") == state, 20)
        self.button("tb-devices .bulk", "Clear the selection").click()
        wait_for("nothing is selected", lambda: not self.driver.find_elements(By.CSS_SELECTOR, "tb-devices .bulk"), 5)

    def test_several_forgotten(self):
        """The bridge forgets the selected devices that joined, after a question and 8 s; undone in that time, it forgets none."""
        self.addCleanup(self.stage.publish, "bridge/test/request/forget", "tap/00be05")
        self.stage.publish("bridge/test/request/permit_join", json.dumps({"seconds": 60, "address": STRANGER}))
        self.show("devices", ".card dl")
        wait_for("the newcomer", lambda: "●" in self.card("tap/00be05"), 30)
        topics = lambda: set(self.stage.retained_topics("tap/00be05/#"))
        before = wait_for("its topics", topics)
        requests = lambda: len(self.stage.of("bridge/test/request/forget"))
        count = requests()
        self.forget_several("Cancel")
        self.button("tb-devices .bulk", "Clear the selection").click()
        self.forget_several("Forget")
        wait_for("the time to undo it", lambda: "In 8 s, 2 devices lose" in self.text("tb-devices .bulk"), NEAR)
        # It can be undone also without the selection.
        self.button("tb-devices .bulk", "Clear the selection").click()
        self.button("tb-devices .bulk", "Undo").click()
        wait_for("nothing to undo", lambda: not self.driver.find_elements(By.CSS_SELECTOR, "tb-devices .bulk"), 5)
        self.wait(9)
        self.assertEqual(requests(), count)
        self.assertLessEqual(before, topics())
        robot = len(self.stage.of("robot/availability"))
        self.forget_several("Forget")
        wait_for("the answers", lambda: "2 of 2 answered" in self.text("tb-devices .bulk"), 30)
        self.assertNotIn("✗", self.text("tb-devices .bulk"))
        wait_for("no topic of it", lambda: not topics(), 5)
        wait_for("the truth", lambda: "tap/00be05" not in self.names(), NEAR)
        # The robot joins again, as every device that the bridge admits without a question.
        self.assertIn("", self.stage.of("robot/availability")[robot:])
        wait_for("the robot", lambda: "●" in self.card("robot"), 40)
        self.assertEqual(self.stage.retained("belt/availability"), "online")

    def forget_several(self, answer):
        for name in ["belt", "robot", "tap/00be05"]:
            self.find(f"tb-devices input[aria-label='Select {name}']").click()
        wait_for("the count", lambda: "3 selected" in self.text("tb-devices .bulk"), 5)
        self.button("tb-devices .bulk", "Forget").click()
        self.find("dialog[open]")
        # The belt is in the configuration.
        for word, is_there in [("2 devices lose their names", True), ("robot", True), ("tap/00be05", True), ("belt", False)]:
            self.assertEqual(word in self.text("dialog"), is_there, word)
        self.button("dialog", answer).click()

    def test_no_answer(self):
        """A request that no bridge answers shows its progress, and then that it has no answer."""
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            // The page waits for 2 s in place of 35 s.
            const later = setTimeout;
            window.setTimeout = (act, time, ...more) => later(act, time === 35_000 ? 2000 : time, ...more);"""})
        self.driver.refresh()
        self.retain("bridge/zz/availability", "online")
        self.retain("bridge/zz/devices", [{"name": "ghost", "family": "belt", "address": "C0:FF:EE:00:BE:77"}])
        self.retain("ghost/availability", "offline")
        self.show("devices", ".card dl")
        self.act("ghost", "Connect")
        wait_for("the request", lambda: self.stage.of("bridge/zz/request/connect"), NEAR)
        wait_for("its progress", lambda: "Waiting for the answer" in self.card("ghost"), NEAR)
        wait_for("its end", lambda: "No answer: not allowed, or no bridge" in self.card("ghost"), NEAR)
        # Without its `connection`, the page does not know whether it can be renamed.
        self.assertNotIn("Rename", self.card("ghost").splitlines())
        self.retain("ghost/connection", {"state": "searching", "bridge": "zz", "configured": False})
        wait_for("it can", lambda: "Rename" in self.card("ghost").splitlines(), NEAR)

    def test_refused(self):
        """A refusal is shown where the request was made, with the bridge's reason."""
        self.show("devices", ".card dl")
        before = len(self.stage.messages)
        self.act("robot", "Rename")
        field = self.find("dialog input")
        field.clear()
        field.send_keys("belt")
        self.button("dialog", "Rename").click()
        refusal = wait_for("the answer", lambda: next(
            (json.loads(text) for _, text in self.stage.messages[before:] if '"request":"rename"' in text and '"status":"error"' in text), None))
        wait_for("the reason", lambda: refusal["message"] in self.card("robot"), NEAR)
        self.assertEqual(sorted(self.names()), NAMES)

    def test_search(self):
        """A search takes 10 s, and lists the devices that the bridge's answer has, with their signal strength."""
        self.show("add", ".grid .card")
        before = len(self.stage.messages)
        self.button("tb-add .grid", "Search for 10 s").click()
        wait_for("its progress", lambda: "Searching, 10 s" in self.text("tb-add .grid"), NEAR)
        answer = wait_for("the answer", lambda: next(
            (json.loads(text) for _, text in self.stage.messages[before:] if '"request":"scan"' in text and '"devices":' in text), None), 20)
        found = [device for device in answer["devices"] if not device["device"]]
        self.assertIn(STRANGER, [device["address"] for device in found])
        for device in found:
            wait_for(device["address"], lambda: f"{device['address']} · {device['rssi']} dBm" in self.text("tb-add .found"), NEAR)
        self.assertNotIn("✗", self.text("tb-add"))

    def test_input_device(self):
        """The address must be typed for each device that the bridge advises to admit by its address, in whatever words."""
        self.show("add", ".grid .card")
        for address, advice in [("C0:FF:EE:00:BE:66", {"advice": "Seine Adresse zulassen."}), ("C0:FF:EE:00:BE:67", {})]:
            self.stage.publish("bridge/test/event", json.dumps(
                {"event": "device_discovered", "family": "belt", "address": address, "name": None, "rssi": -50, **advice}))
            wait_for("it is listed", lambda: self.run_script("""
                const found = [...document.querySelectorAll("tb-add .found li")].find((e) => e.textContent.includes(arguments[0]));
                found?.querySelector("button").click();
                return Boolean(found);""", address), NEAR)
            self.find("dialog[open]")
            self.assertEqual(len(self.driver.find_elements(By.CSS_SELECTOR, "dialog input")), len(advice))
            self.button("dialog", "Cancel").click()

    def rows(self):
        """The cells of each row of all tables, with the group of the row."""
        return self.run_script("""
            return [...document.querySelectorAll('tb-devices .table tr:has(th[scope=row])')].map((row) =>
              [row.closest('section').querySelector('h2')?.textContent ?? null, ...[...row.cells].slice(1).map((cell) => cell.innerText)])""")

    def test_table(self):
        """A table with the same devices, in groups of a bridge or a zone; the browser keeps both choices."""
        kept = {"bridge/zz/availability": "online", "bridge/zz/info": '{"zone":"attic"}', "lamp/availability": "online",
                "bridge/zz/devices": '[{"name":"lamp","family":"environment","address":"C0:FF:EE:00:BE:79"}]'}
        for topic, payload in kept.items():
            self.addCleanup(self.stage.publish, topic, "", True)
            self.stage.publish(topic, payload, True)
        self.show("devices", ".card dl")
        wait_for("the connection", lambda: self.text("#state") == "connected")
        self.choose(self.control("Layout"), "table")
        wait_for("the rows", lambda: sorted(row[1] for row in self.rows()) == sorted([*NAMES, "lamp"]), 5)
        belt = next(row for row in self.rows() if row[1] == "belt")
        self.assertEqual((belt[0], belt[2], belt[5]), (None, "● online", "test"))
        self.assertIn("%", belt[3])
        self.choose(self.control("Group by"), "zone")
        wait_for("the zones", lambda: {row[0]: row[1] for row in self.rows()}.get("attic") == "lamp" and len(self.rows()) == 5, 5)
        self.assertEqual({row[0] for row in self.rows()}, {"–", "attic"})
        self.choose(self.control("Group by"), "bridge")
        wait_for("the bridges", lambda: {row[0] for row in self.rows()} == {"test", "zz"}, 5)
        self.assertEqual(self.violations(), [])
        self.find("tb-devices input[aria-label='Select lamp']").click()
        wait_for("the count", lambda: "1 selected" in self.text("tb-devices .bulk"), 5)
        self.driver.refresh()
        wait_for("the same after a reload", lambda: {row[0] for row in self.rows()} == {"test", "zz"})

    def test_history(self):
        """The numbers of a device since its page was opened are plotted, also those from before they were chosen."""
        folder = Path(tempfile.mkdtemp(dir=self.stage.folder))
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.run_script("location.hash = '#/d/C0:FF:EE:00:BE:01/overview'")
        self.find("tb-device dl")
        wait_for("the connection", lambda: self.text("#state") == "connected")
        for value in ["40", "75"]:
            self.stage.publish("belt/intensity/set", value)
            wait_for(value, lambda: self.stage.newest("belt/intensity") == value)
        self.run_script("location.hash = '#/d/C0:FF:EE:00:BE:01/values'")
        wait_for("the value", lambda: "intensity75" in self.text("tb-device dl"))
        self.choose(self.control("Number"), "belt/intensity")
        wait_for("the plot", lambda: self.find("tb-plot canvas").get_attribute("aria-label") == "belt/intensity in the last 300 seconds; now 75", 5)
        self.assertEqual(self.violations(), [])
        self.button("tb-device", "Save CSV").click()
        file = folder / "tactile-bridge.csv"
        wait_for("the file", lambda: file.exists() and file.stat().st_size)
        rows = [(row["topic"], row["payload"]) for row in csv.DictReader(file.read_text().splitlines())]
        self.assertEqual([row for row in rows if row[1] in ("40", "75")], [("belt/intensity", "40"), ("belt/intensity", "75")])
