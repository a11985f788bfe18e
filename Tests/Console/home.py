"""The start view: tiles that show what devices do now."""

import json

from page import Page
from stage import NAMES, wait_for


class Home(Page):
    def setUp(self):
        super().setUp()
        self.show("home", ".tile")

    def tile(self, name):
        return self.run_script("""
            return [...document.querySelectorAll("tb-home .tile")].find((e) => e.querySelector("h2").textContent === arguments[0]) ?? null""", name)

    def glowing(self, name):
        return self.run_script("return arguments[0]?.querySelectorAll('.glow').length ?? -1", self.tile(name))

    def words(self, name):
        return self.run_script("return arguments[0]?.innerText ?? ''", self.tile(name))

    def test_tiles(self):
        """Each device has a tile with a drawing, its state, and its main action."""
        wait_for("the tiles", lambda: sorted(self.run_script(
            "return [...document.querySelectorAll('tb-home .tile h2')].map((e) => e.textContent)")) == NAMES)
        for name, action in [("belt", "Lead"), ("robot", "Drive"), ("tap/00be02", "Open"), ("wrist", "Open")]:
            wait_for(name, lambda: "● online" in self.words(name) and action in self.words(name), 5)

    def test_belt(self):
        """The motor that vibrates glows, and no longer after the stop."""
        self.stage.publish("belt/navigation/set", '{"direction":90,"state":"navigating"}')
        wait_for("a motor glows", lambda: self.glowing("belt") > 0, 10)
        self.stage.publish("belt/stop/set", "")
        wait_for("none glows", lambda: self.glowing("belt") == 0, 10)

    def test_tap(self):
        """The fingers that tap glow for a moment."""
        self.find(".tile[data-kind=tap]")
        # Taps are events: those before the page subscribes to them are lost.
        def taps():
            self.stage.act("tap 5")
            self.wait(0.2)
            return self.glowing("tap/00be02") == 2
        wait_for("two fingers", taps, 10)
        wait_for("their end", lambda: self.glowing("tap/00be02") == 0, 5)

    def test_robot(self):
        """The robot glows while its wheels turn."""
        self.stage.power()
        def drives():
            self.stage.publish("robot/drive/set", '{"direction":90,"speed":0.5,"duration_ms":1500}')
            self.wait(0.3)
            return self.stage.moving and self.glowing("robot") == 1
        wait_for("it moves", drives, 10)
        self.stage.publish("robot/stop/set", "")
        wait_for("it stands", lambda: self.glowing("robot") == 0, 5)

    def test_value(self):
        """Another device has its main number with its course; a device that is away has its reason and Connect."""
        kept = {
            "bridge/zz/availability": "online",
            "bridge/zz/devices": [{"name": "lamp", "family": "environment", "address": "C0:FF:EE:00:BE:79"}],
            "lamp/availability": "online",
            "lamp/features": {"temperature": {"kind": "state", "unit": "°C", "topic": "lamp/temperature"}},
        }
        for topic, value in kept.items():
            self.addCleanup(self.stage.publish, topic, "", True)
            self.stage.publish(topic, value if isinstance(value, str) else json.dumps(value), True)
        self.addCleanup(self.stage.publish, "lamp/temperature", "", True)
        wait_for("the tile", lambda: "no number yet" in self.words("lamp"), 5)
        for value in ["20.5", "21.5", "20"]:
            self.stage.publish("lamp/temperature", value, True)
            wait_for(value, lambda: f"{value} °C" in self.words("lamp"), 5)
        points = self.run_script("return arguments[0].querySelector('polyline').getAttribute('points').split(' ').length", self.tile("lamp"))
        self.assertGreaterEqual(points, 2)
        self.stage.publish("lamp/connection", json.dumps({"state": "searching", "reason": "x", "reason_code": "not_heard", "bridge": "zz"}), True)
        self.addCleanup(self.stage.publish, "lamp/connection", "", True)
        self.stage.publish("lamp/availability", "offline", True)
        wait_for("the reason", lambda: "out of range or switched off" in self.words("lamp") and "Connect" in self.words("lamp"), 5)

    def test_more(self):
        """Of more than eight devices, the first eight have tiles, and a link leads to all."""
        listed = [{"name": f"lamp/{number}", "family": "lamp", "address": f"C0:FF:EE:00:BF:{number:02}"} for number in range(9)]
        for topic, value in [("bridge/zz/availability", "online"), ("bridge/zz/devices", json.dumps(listed))]:
            self.addCleanup(self.stage.publish, topic, "", True)
            self.stage.publish(topic, value, True)
        wait_for("the link", lambda: "All 13 devices" in self.text("tb-home"), 5)
        self.assertEqual(len(self.run_script("return [...document.querySelectorAll('tb-home .tile')]")), 8)
