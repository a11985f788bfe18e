"""Devices that join: what the view of joining says of each, and of the end of its time."""

import json

from page import NEAR, Page
from stage import wait_for

ABSENT = "C0:FF:EE:00:BE:09"


class Joining(Page):
    def rows(self):
        return self.run_script("return [...document.querySelectorAll('tb-add .found li')].map((e) => e.innerText)")

    def discover(self, bridge):
        self.stage.publish(f"bridge/{bridge}/event", json.dumps(
            {"event": "device_discovered", "address": ABSENT, "name": "Buzz 9", "families": ["buzz"], "rssi": -60}))

    def test_two_hosts(self):
        """A device that two bridges receive has a row for each, which names the bridge; the button works again when the time to join has ended."""
        self.retain("bridge/zz/availability", "online")
        self.show("add", ".grid .card")
        for bridge in ["test", "zz"]:
            self.discover(bridge)
        rows = wait_for("two rows", lambda: len(self.rows()) == 2 and self.rows(), NEAR)
        self.assertEqual([name for name in ["test", "zz"] if any(f"Bridge: {name}" in row for row in rows)], ["test", "zz"])
        place = next(place for place, row in enumerate(rows) if "Bridge: test" in row)
        locked = lambda: self.run_script("return document.querySelectorAll('tb-add .found li button')[arguments[0]].disabled", place)
        self.run_script("document.querySelectorAll('tb-add .found li button')[arguments[0]].click()", place)
        self.button("dialog", "Let it join").click()
        wait_for("it may join", lambda: "within 60 s" in self.rows()[place], NEAR)
        self.assertTrue(locked())
        # The end of the time is known also to a view that is opened again.
        self.show("devices", "h1")
        self.show("add", ".grid .card")
        self.assertTrue(locked())
        self.stage.publish("bridge/test/request/permit_join", json.dumps({"seconds": 0}))
        wait_for("it works again", lambda: not locked(), NEAR)
        self.assertNotIn("within 60 s", self.rows()[place])

    def test_first_time(self):
        """A device that joins has joined and is online, and not online again; its row disappears also while the view is not shown."""
        wait_for("the connection", lambda: self.text("#state") == "connected")
        self.show("add", ".grid .card")
        self.discover("zz")
        wait_for("the row", lambda: len(self.rows()) == 1, NEAR)
        self.stage.publish("bridge/test/event", json.dumps({"event": "permit_join_ended", "reason": "full", "devices": [{"device": "ghost"}]}))
        wait_for("who has joined", lambda: self.text("tb-add .grid .card .count") == "ghost has joined.", NEAR)
        self.assertEqual(self.text("#notices"), "ghost has joined.")
        self.show("devices", ".card dl")
        self.retain("bridge/zz/availability", "online")
        self.retain("ghost/availability", "offline")
        self.retain("bridge/zz/devices", [{"name": "ghost", "family": "buzz", "address": ABSENT}])
        wait_for("the card", lambda: "ghost" in self.text("tb-devices"), NEAR)
        self.wait(0.5) # the filters of its topics
        for state, words in [("online", "ghost: online"), ("offline", "ghost is offline."), ("online", "ghost is online again.")]:
            self.retain("ghost/availability", state)
            wait_for(words, lambda: self.text("#notices") == words, NEAR)
        self.show("add", ".grid .card")
        self.assertEqual(self.rows(), [])
