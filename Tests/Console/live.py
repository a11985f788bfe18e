"""The view of all topics: forms, the live log, plots, files."""

import csv
import json
import tempfile
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page import NEAR, Page
from stage import browser, wait_for


class Live(Page):
    def command(self, device, name):
        self.show("live", "tb-command-form form")
        self.choose(self.control("Device"), device)
        self.choose(self.control("Command"), name)
        wait_for("the form", lambda: self.text("tb-command-form h3").startswith(name))

    def answer(self, field, value):
        control = self.find(field)
        # Selenium's clear() fires no input event, so the next rendering would restore the old text.
        control.send_keys(Keys.CONTROL, "a")
        control.send_keys(value)
        self.find("tb-command-form .primary").click()

    def log(self):
        return self.run_script(
            "return [...document.querySelectorAll('tb-live .log li strong')].map((e) => e.textContent)")

    def test_form(self):
        self.command("belt", "intensity")
        self.answer("tb-command-form input", "400")
        wait_for("the limits", lambda: "5 … 100" in self.text("tb-command-form .trouble"), 5)
        self.answer("tb-command-form input", "65")
        line = "mosquitto_pub -t belt/intensity/set -m '{\"intensity\":65}'"
        wait_for("the line", lambda: self.text("tb-command-form .line") == line, 5)
        wait_for("the answer", lambda: "Done" in self.text("tb-command-form .answer"))
        wait_for("the belt", lambda: self.stage.newest("belt/intensity") == "65")
        wait_for("the log", lambda: "belt/intensity" in self.log())

    def test_said(self):
        """The log says that it was copied or saved."""
        self.show("live", ".log")
        for label, words in [("Copy", "Copied"), ("Save CSV", "tactile-bridge.csv is downloaded.")]:
            self.button("tb-live .log-view", label).click()
            wait_for(words, lambda: self.text("tb-live .log-view [role=status]") == words, 3)

    def test_refused(self):
        """The bridge's refusal is shown without the line for a shell that it adds for other clients."""
        self.command("tap/00be02", "vibrate")
        before = len(self.stage.messages)
        self.answer("tb-command-form input", '["long"]')
        refusal = wait_for("the answer", lambda: next(
            (json.loads(text)["message"] for _, text in self.stage.messages[before:] if '"status":"error"' in text), None))
        self.assertIn("mosquitto_pub", refusal)
        wait_for("the reason", lambda: f"Value not allowed: {refusal.split(';')[0]}" in self.text("tb-command-form .answer"), NEAR)
        self.assertNotIn("mosquitto_pub", self.text("tb-command-form .answer"))

    def test_every_command_has_a_form(self):
        """Forms of each device, including one of a device file, derived from its own description."""
        self.show("live", "tb-command-form form")
        for device in ["belt", "wrist", "robot", "tap/00be02"]:
            own = json.loads(self.stage.newest(f"{device}/features"))
            wanted = sorted(name for name, entry in own.items() if "set" in entry)
            self.assertTrue(wanted)
            self.choose(self.control("Device"), device)
            choices = lambda: sorted(self.run_script(
                "return [...document.querySelector(arguments[0]).options].map((e) => e.value)", self.control("Command")))
            wait_for(f"the commands of {device}", lambda: choices() == wanted)
            for name in wanted:
                self.choose(self.control("Command"), name)
                wait_for(f"{device}/{name}", lambda: self.run_script(
                    "return document.querySelector('tb-command-form')?.dataset.topic") == f"{device}/{name}/set")
                self.assertTrue(self.text("tb-command-form p"), f"{device}/{name} has a sentence")
        self.command("wrist", "leds")
        self.answer("tb-command-form input", "255")
        wait_for("the answer", lambda: "Done" in self.text("tb-command-form .answer"))

    def test_log(self):
        self.command("belt", "intensity")
        pause = self.button("tb-live", "Pause")
        pause.click()
        self.stage.publish("belt/intensity/set", "30")
        wait_for("the belt", lambda: self.stage.newest("belt/intensity") == "30")
        wait_for("the page", lambda: "intensity 30" in self.text("tb-live .tree"), 5)
        paused = self.log()
        pause.click()
        # With an id the answer is published on a topic that every client can read.
        self.stage.publish("belt/intensity/set", '{"intensity":35,"id":"test"}')
        self.stage.act("tap 5")
        wait_for("the log", lambda: {"belt/intensity", "belt/result", "tap/00be02/tapped"} <= set(self.log()))
        self.assertNotIn(">30<", self.run_script("return document.querySelector('tb-live .log').innerHTML"), paused)
        self.run_script("document.querySelectorAll('tb-live .check input')[3].click()")
        self.assertEqual({topic.split("/")[0] for topic in self.log()}, {"belt"})
        self.run_script("document.querySelectorAll('tb-live .check input')[0].click()")
        wait_for("no states", lambda: "belt/intensity" not in self.log() and "belt/result" in self.log())
        self.find("tb-live input[type=search]").send_keys("no such thing")
        wait_for("nothing", lambda: self.log() == [])

    def test_tree_and_plot(self):
        self.command("belt", "intensity")
        wait_for("the tree", lambda: "availability" in self.text("tb-live .tree"))
        wait_for("the number", lambda: "intensity" in self.text("tb-live .tree"))
        self.choose(self.control("Number"), "belt/intensity")
        for value in ["40", "80"]:
            self.stage.publish("belt/intensity/set", value)
            wait_for("the plot", lambda: f"now {value}" in (self.find("tb-plot canvas").get_attribute("aria-label")))
        ink = self.run_script("""
            const canvas = document.querySelector("tb-live tb-plot canvas");
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            return data.filter((value, place) => place % 4 === 3 && value > 0).length;""")
        self.assertGreater(ink, 500)

    def legends(self):
        return self.run_script("return [...document.querySelectorAll('tb-live .legend')].map((e) => e.innerText.split('\\n'))")

    def test_several_plots(self):
        """Two numbers with one cursor; a pause keeps what is shown, and a plot can be removed."""
        names = ["belt/intensity", "belt/battery · level"]
        send = lambda *values: [self.stage.publish(topic, value) for topic, value in zip(["belt/intensity", "belt/battery"], values)]
        self.show("live", ".tree details")
        wait_for("the numbers", lambda: all(word in self.text("tb-live .tree") for word in ["intensity", "battery"]))
        for name in names:
            self.choose(self.control("Number"), name)
        wait_for("two plots", lambda: [lines[0] for lines in self.legends()] == names, 5)
        send("3", '{"level":7}')
        wait_for("the values at the cursor", lambda: [lines[1] for lines in self.legends()] == ["0 s: 3", "0 s: 7"], 5)
        self.button("tb-live section:nth-of-type(3)", "Pause").click()
        send("4", '{"level":8}')
        wait_for("the messages", lambda: '{"level":8}' in self.text("tb-live .log"), 5)
        self.wait(0.5)
        self.assertEqual([lines[1] for lines in self.legends()], ["0 s: 3", "0 s: 7"])
        # A press in a plot, and the keys of the slider, move the cursor of both.
        canvas = self.find("tb-live section:nth-of-type(3) canvas")
        self.run_script("arguments[0].scrollIntoView({block: 'center'})", canvas)
        ActionChains(self.driver, duration=0).move_to_element_with_offset(canvas, 0, 0).click().perform()
        wait_for("the cursor", lambda: all(-6.5 < float(lines[1].split(" s")[0]) < -4 for lines in self.legends()), 5)
        slider = self.find(self.control("Cursor"))
        slider.send_keys(Keys.END)
        wait_for("the end", lambda: [lines[1] for lines in self.legends()] == ["0 s: 3", "0 s: 7"], 5)
        self.assertEqual(self.violations(), [])
        self.find("tb-live [aria-label='Remove belt/intensity']").click()
        wait_for("one plot", lambda: [lines[0] for lines in self.legends()] == names[1:], 5)

    def test_files(self):
        folder = Path(tempfile.mkdtemp(dir=self.stage.folder))
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.command("belt", "intensity")
        self.stage.publish("belt/intensity/set", '{"intensity":45,"id":"test"}')
        wait_for("the log", lambda: "belt/intensity" in self.log() and "belt/result" in self.log())
        self.button("tb-live", "Save CSV").click()
        self.button("tb-live", "Save JSON lines").click()
        for name in ["tactile-bridge.csv", "tactile-bridge.jsonl"]:
            wait_for(name, lambda: (folder / name).exists() and (folder / name).stat().st_size)
        rows = list(csv.DictReader((folder / "tactile-bridge.csv").open(newline="")))
        lines = [json.loads(line) for line in (folder / "tactile-bridge.jsonl").read_text().splitlines()]
        for found in [rows, lines]:
            self.assertIn(("belt/intensity", "state"), [(row["topic"], row["kind"]) for row in found])
            self.assertIn(("belt/result", "event"), [(row["topic"], row["kind"]) for row in found])

    def test_copy_over_plain_http(self):
        """The shell line is copied even where the browser offers no clipboard to pages."""
        self.driver.quit()
        self.driver = browser(1280, 900, False, "en", "--host-resolver-rules=MAP console.test 127.0.0.1")
        self.load(self.stage.link.replace("127.0.0.1", "console.test"))
        self.assertFalse(self.run_script("return isSecureContext"))
        self.command("belt", "intensity")
        self.find("tb-command-form input").send_keys("55")
        self.button("tb-command-form", "Copy").click()
        wait_for("the word", lambda: self.driver.find_elements(By.XPATH, "//button[text()='Copied']"))
        self.find("tb-live input[type=search]").click()
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("v").key_up(Keys.CONTROL).perform()
        self.assertEqual(self.find("tb-live input[type=search]").get_attribute("value"),
                         "mosquitto_pub -t belt/intensity/set -m '{\"intensity\":55}'")
