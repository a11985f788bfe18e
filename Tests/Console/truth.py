"""What the page shows against what the broker has: freshness, snapshots, names, invalid messages, answers, roles."""

import json
import signal

from page import NEAR, VIEWS, Page
from stage import resize, wait_for


class Truth(Page):
    def states(self):
        """The shown state of each device by its name."""
        return self.run_script("""
            return Object.fromEntries([...document.querySelectorAll("tb-devices .list article")].map(
              (card) => [card.querySelector("h2").textContent, card.querySelector(".state").dataset.state]))""")

    def live(self):
        self.show("devices", ".card dl")
        wait_for("the connection", lambda: self.text("#state") == "connected")
        wait_for("belt", lambda: self.states().get("belt") == "online")

    def unknown(self, cause):
        wait_for("no device is online", lambda: set(self.states().values()) == {"unknown"}, NEAR)
        self.assertIn(cause, self.text("#state"))
        self.assertIn("last data", self.text("#state"))

    def halt(self, process):
        process.send_signal(signal.SIGSTOP)
        self.addCleanup(process.send_signal, signal.SIGCONT)

    def test_dead_network(self):
        """A network that carries nothing: the page knows it without an error of the socket, and recovers."""
        wire = self.stage.wire()
        self.load(self.stage.link_over(wire))
        self.live()
        wire.hold()
        self.unknown("no connection")
        wire.let_go()
        wait_for("the truth", lambda: self.text("#state") == "connected" and self.states()["belt"] == "online", NEAR)

    def test_console_halted(self):
        self.live()
        self.halt(self.stage.console)
        self.unknown("no connection")

    def test_broker_lost(self):
        """Without the broker nothing is known; with it the page has its truth again."""
        self.live()
        self.stage.broker.kill()
        self.stage.broker.wait(5)
        try:
            self.unknown("no broker")
        finally:
            self.stage.start_broker()
        wait_for("the truth", lambda: self.text("#state") == "connected" and self.states().get("belt") == "online", 30)

    def test_every_view(self):
        """While the page does not know the broker's state, no view shows a device or a bridge as online."""
        wire = self.stage.wire()
        self.load(self.stage.link_over(wire))
        self.live()
        self.every_view("online")
        wire.hold()
        self.unknown("no connection")
        self.every_view("unknown")
        wire.let_go()
        wait_for("the truth", lambda: self.text("#state") == "connected", 20)
        self.every_view("online")

    def every_view(self, state):
        known = state == "online"
        for view in ["home", "devices", "belt", "tap", "fleet", "d/C0:FF:EE:00:BE:01"]:
            self.run_script("location.hash = arguments[0]", f"#/{view}")
            place = "tb-device" if view.startswith("d/") else f"tb-{view}"
            wait_for(f"{state} in {view}", lambda: set(self.run_script("""
                return [...document.querySelectorAll(`${arguments[0]} .state`)].map((e) => e.dataset.state)""", place)) == {state}, NEAR)
            if view == "belt":
                wait_for("its doubt", lambda: ("not certain" in self.text("tb-belt dl")) != known, NEAR)
            if view == "fleet":
                wait_for("the devices", lambda: {text[0] for text in self.run_script("""
                    return [...document.querySelectorAll("tb-fleet .chips a")].map((e) => e.textContent)""")} == {"●" if known else "?"}, NEAR)
        self.show("robot", ".pad")
        wait_for(f"{state} in robot", lambda: ("Not known" in self.text("tb-robot .big")) != known, NEAR)
        self.show("devices", "h1")

    def test_cleared_while_away(self):
        """What is cleared while the console is away does not stay."""
        self.retain("bridge/zz/availability", "online")
        self.retain("bridge/zz/devices", [{"name": "ghost", "family": "belt", "address": "C0:FF:EE:00:BE:77"}])
        self.retain("ghost/availability", "online")
        self.live()
        wait_for("the ghost", lambda: self.states().get("ghost") == "online", NEAR)
        self.stage.console.send_signal(signal.SIGSTOP)
        for topic in ["bridge/zz/availability", "bridge/zz/devices", "ghost/availability"]:
            self.stage.publish(topic, "", retain=True)
        self.stage.console.kill()
        self.stage.console.wait(5)
        self.unknown("no connection")
        self.stage.start_console()
        wait_for("the truth", lambda: self.states().get("belt") == "online", 10)
        self.assertNotIn("ghost", self.states())

    def test_cleared(self):
        self.retain("bridge/zz/availability", "online")
        self.retain("bridge/zz/devices", [{"name": "ghost", "family": "belt", "address": "C0:FF:EE:00:BE:77"}])
        self.live()
        wait_for("the ghost", lambda: "ghost" in self.states(), NEAR)
        self.stage.publish("bridge/zz/devices", "", retain=True)
        wait_for("it is gone", lambda: "ghost" not in self.states(), NEAR)

    def test_deep_name(self):
        """A device whose name has six levels is updated like any other."""
        name = "house/two/attic/left/shelf/lamp"
        self.retain("bridge/zz/availability", "online")
        self.retain("bridge/zz/devices", [{"name": name, "family": "belt", "address": "C0:FF:EE:00:BE:78"}])
        self.retain(f"{name}/availability", "online")
        self.live()
        for state in ["online", "offline", "online"]:
            self.retain(f"{name}/availability", state)
            wait_for(f"it is {state}", lambda: self.states().get(name) == state, NEAR)

    def test_invalid_messages(self):
        """An invalid entry of a list hides no other device, the log names it, and no address breaks the page."""
        self.retain("bridge/zz/devices", "[null,3]")
        self.retain("belt/battery", "[]")
        self.addCleanup(self.stage.publish, "belt/battery", self.stage.newest("belt/battery"), True)
        self.live()
        self.assertLessEqual({"belt", "robot", "wrist"}, set(self.states()))
        self.show("live", "h1")
        wait_for("the word", lambda: "invalid: found null in the list" in self.text("tb-live .log"), NEAR)
        for hash_ in ["explore/%", "live/%", "d/%", "robot/%E0", "no/such"]:
            self.driver.get(f"{self.stage.address('')}#/{hash_}")
            self.driver.refresh()
            self.find("nav a")
            wait_for(hash_, lambda: self.text("main h1") != "", 5)
            self.assertNotIn("does not answer", self.text("body"))
            self.run_script("location.hash = '#/devices'")

    def test_answers_stay(self):
        """The menu of a card stays open, keeps the focus, and shows the answer while batteries change."""
        self.live()
        self.run_script("""
            window.more = [...document.querySelectorAll("tb-devices .list article")].find(
              (card) => card.querySelector("h2").textContent === "belt").querySelector("details");
            window.more.open = true;
            window.button = window.more.querySelector("button");
            window.button.focus();""")
        newest = self.stage.newest("belt/battery")
        self.addCleanup(self.stage.publish, "belt/battery", newest, True)
        for level in [31, 32, 33]:
            self.stage.publish("belt/battery", json.dumps({**json.loads(newest), "level": level}), True)
            wait_for(f"{level} %", lambda: f"{level} %" in self.text("tb-devices .list"), NEAR)
        self.assertTrue(self.run_script("return window.more.open && window.more.isConnected && document.activeElement === window.button"))
        self.addCleanup(wait_for, "it is back", lambda: self.stage.newest("belt/availability") == "online", 20)
        self.addCleanup(self.stage.publish, "bridge/test/request/connect", "belt")
        self.run_script("window.button.click()")
        wait_for("the answer", lambda: "Done" in self.run_script("return window.more.querySelector('.answer').textContent"), 10)
        wait_for("the truth", lambda: self.states()["belt"] != "online", NEAR)
        self.run_script("window.more.querySelector('button').click()")
        wait_for("it is back", lambda: self.stage.newest("belt/availability") == "online", 20)

    def test_device_page(self):
        """The page of a device: its commands, values and log, by its address."""
        self.live()
        self.run_script("location.hash = '#/d/C0:FF:EE:00:BE:01/control'")
        wait_for("the commands", lambda: "intensity" in self.text("tb-device"))
        self.run_script("location.hash = '#/d/C0:FF:EE:00:BE:01/values'")
        wait_for("the value", lambda: f"intensity{self.stage.newest('belt/intensity')}" in self.text("tb-device dl"))
        self.run_script("location.hash = '#/d/C0:FF:EE:00:BE:01/log'")
        self.stage.publish("belt/intensity/set", "55")
        wait_for("the log", lambda: "belt/intensity" in self.text("tb-device .log"), NEAR)

    def test_german_advice(self):
        """Reasons and advice are in the language of the page, by their codes."""
        self.retain("bridge/zz/availability", "online")
        self.retain("bridge/zz/devices", [{"name": "ghost", "family": "belt", "address": "C0:FF:EE:00:BE:77"}])
        self.retain("ghost/availability", "offline")
        self.retain("ghost/connection", {"state": "error", "bridge": "zz", "reason": "the adapter has no slot", "reason_code": "no_slot",
                                         "advice": "let go of a device", "advice_code": "free_slot"})
        self.live()
        self.choose("#header select", "de")
        wait_for("German", lambda: "Ein Gerät trennen, das nicht gebraucht wird." in self.text("tb-devices"), 10)
        self.assertIn("Der Adapter hat keine freie Verbindung.", self.text("tb-devices"))
        self.assertNotIn("let go of a device", self.text("tb-devices"))

    def test_viewer(self):
        """Controls that the roles of the user do not allow are locked, with the role that allows them."""
        self.load(self.stage.other_console("viewers"))
        self.live()
        self.run_script("for (const more of document.querySelectorAll('tb-devices details')) more.open = true")
        wait_for("the locks", lambda: "Needs the role: operator" in self.text("tb-devices .list"), NEAR)
        open_ = self.run_script("return [...document.querySelectorAll('tb-devices .list details button')].filter((e) => !e.disabled).length")
        self.assertEqual(open_, 0)
        self.run_script("location.hash = '#/d/C0:FF:EE:00:BE:01/control'")
        wait_for("the locks of the forms", lambda: "Needs the role: operator" in self.text("tb-device .grid"), NEAR)
        forms = self.run_script("return [...document.querySelectorAll('tb-command-form')].map((e) => [e.dataset.topic, e.querySelector('.primary').disabled])")
        self.assertGreater(len(forms), 5)
        self.assertEqual([topic for topic, locked in forms if not locked], ["belt/stop/set"])
        self.show("robot", ".pad")
        wait_for("the robot's locks", lambda: "Needs the role: driver" in self.text("tb-robot .stops"), NEAR)
        # Every user may stop.
        before = len(self.stage.of("all/stop/set"))
        self.find("#stop-all").click()
        wait_for("a stop", lambda: len(self.stage.of("all/stop/set")) > before, 3)

    def test_base_topic(self):
        """With `mqtt.base_topic` the page shows the devices below it, and no others."""
        self.retain("site/bridge/zz/availability", "online")
        self.retain("site/bridge/zz/devices", [{"name": "own", "family": "belt", "address": "C0:FF:EE:00:BE:79"}])
        self.retain("site/own/availability", "online")
        self.load(self.stage.other_console("based", {"base_topic": "site"}))
        self.show("devices", ".card dl")
        wait_for("its devices", lambda: self.states() == {"own": "online"}, NEAR)
        self.retain("site/own/availability", "offline")
        wait_for("it is offline", lambda: self.states() == {"own": "offline"}, NEAR)

    def test_loading(self):
        """Before the first data the page loads, and does not claim that there is nothing."""
        wire = self.stage.wire()
        wire.hold()
        self.load(self.stage.link_over(wire))
        self.assertEqual(self.text("#state"), "loading …")
        for view in ["home", "devices", "add", "belt", "tap", "robot", "patterns", "live", "fleet"]:
            self.show(view, "h1")
            wait_for(view, lambda: self.text(f"tb-{view} .placeholder") == "Loading …", NEAR)
        self.show("devices", "h1")
        wire.let_go()
        wait_for("the truth", lambda: self.states().get("belt") == "online", NEAR)

    def test_empty(self):
        """Loading, empty and disconnected are three states."""
        self.load(self.stage.other_console("empty", {"base_topic": "nothing"}))
        self.show("devices", "h1")
        wait_for("the word", lambda: "No devices yet" in self.text("tb-devices .placeholder"), NEAR)
        self.load(self.stage.other_console("alone", {"port": 1}))
        self.show("devices", "h1")
        wait_for("no broker", lambda: "no broker" in self.text("#state"), NEAR)
        wait_for("the reason", lambda: "No connection" in self.text("tb-devices .placeholder"), NEAR)

    def test_phone(self):
        """Each control can be scrolled to where nothing covers it, and no view is wider than the screen."""
        for width, height in [(360, 640), (640, 360)]:
            resize(self.driver, width, height)
            for view in [*VIEWS, "add"]:
                self.show(view, "h1")
                self.wait(0.3)
                covered = self.run_script("""
                    const all = [...document.querySelectorAll("main :is(button, select, input, a)")].filter((e) => e.checkVisibility());
                    return all.filter((control) => {
                      control.scrollIntoView({block: "center"});
                      const {left, right, top, bottom} = control.getBoundingClientRect();
                      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
                      return control !== hit && !control.contains(hit) && !hit?.contains(control);
                    }).map((control) => control.outerHTML.slice(0, 80));""")
                self.assertEqual(covered, [], (view, width))
                self.assertLessEqual(self.run_script("return document.documentElement.scrollWidth"), width, view)
