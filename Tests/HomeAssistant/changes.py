"""Renames devices of every family while Home Assistant runs, moves them to another host, restarts their bridges and
forgets the devices. Home Assistant must log nothing, no entity of a connected device may become unavailable, and an
automation that starts by an action of a TAP must run after each step. See Tests/HomeAssistant/run.

usage: changes.py ROOT PROGRAMS [--verbose]
"""

import json
import sys
import tempfile
import time
from pathlib import Path

import yaml
from assistant import Assistant

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tutorials"))

from hosts import Hosts  # noqa: E402

STAGE = HERE / "changes.yaml"
CONFIGURATION = """
log: { level: info }
bridge: { stats_interval_s: 2 }
home_assistant: { drive_entities: true }
robot: { allow_weapon: true }
"""
GESTURES = """
version: 1
family: tap
within_ms: 2000
layers:
  base:
    - { inputs: tapped index, action: movie }
    - { inputs: tapped thumb+index, action: lights_off }
    - { inputs: [tapped thumb, tapped thumb], action: scene }
    - { inputs: tapped pinky, action: general }
"""
# The subtypes of their triggers: the TAP's own gestures have a trigger for "general" too.
ACTIONS = ["movie", "lights_off", "scene", "action_general"]


class Changes:
    def __init__(self, hosts, assistant):
        self.hosts, self.assistant, self.faults = hosts, assistant, []
        self.addresses = {name: device["address"] for name, device in yaml.safe_load(STAGE.read_text())["devices"].items()}
        self.names = {}

    def ask(self, bridge, request, **arguments):
        payload = json.dumps(arguments)
        status, text = self.hosts.run(
            "attic", f"mosquitto_rr -V 5 -W 20 -t bridge/{bridge}/request/{request} -e reply/test -m '{payload}'", 30)
        answer = json.loads(text) if status == 0 else {}
        if answer.get("status") != "ok":
            raise OSError(f"{request} {arguments}: {text}")
        return answer

    def stored(self, topic):
        _, text = self.hosts.run("attic", f"mosquitto_sub -t '{topic}' -C 1 -W 1 2>/dev/null")
        return text

    def announcement(self, kind):
        text = self.stored(f"homeassistant/device/{self.identifier(kind)}/config")
        return json.loads(text) if text else {}

    def identifier(self, kind):
        """The identifier of a device, or of a bridge."""
        if kind not in self.addresses:
            return f"tactile_bridge_bridge_{kind}"
        return "tactile_bridge_" + self.addresses[kind].replace(":", "").lower()

    def wait(self, what, is_there, seconds=40):
        return self.assistant.wait(what, is_there, seconds)

    def registered(self):
        """Home Assistant's devices by their identifiers."""
        return {identifier: device for device in self.assistant.say("config/device_registry/list")
                for _, identifier in device["identifiers"]}

    def entities(self, kind):
        device = self.registered().get(self.identifier(kind), {}).get("id")
        return [entity for entity in self.assistant.say("config/entity_registry/list") if entity["device_id"] == device]

    # The steps.

    def join(self):
        self.hosts.write("attic", "/etc/tactile-bridge/tactile-bridge.yaml", CONFIGURATION)
        self.hosts.write("hall", "/etc/tactile-bridge/tactile-bridge.yaml", CONFIGURATION)
        for host in ("attic", "hall"):
            self.hosts.check(host, "mkdir -p /etc/tactile-bridge/gestures")
            self.hosts.write(host, "/etc/tactile-bridge/gestures/home.yaml", GESTURES)
        self.hosts.check("attic", "systemctl start mosquitto tactile-bridge")
        self.assistant.begin()
        self.assistant.add_mqtt("127.0.0.1", 1883)
        for kind, address in self.addresses.items():
            self.ask("attic", "permit_join", address=address, seconds=60)
            self.names[kind] = self.wait(f"{kind} is there", lambda: next(
                (device["name"] for device in self.ask("attic", "devices")["devices"]
                 if device["address"] == address and device["availability"] == "online"), None))
        self.hosts.check("hall", "systemctl start tactile-bridge")
        for kind in self.addresses:
            self.wait(f"Home Assistant has {kind}", lambda: self.identifier(kind) in self.registered())
        self.know()
        belt = self.registered()[self.identifier("belt")]
        shown = belt["name"], belt["manufacturer"], belt["model"], belt["sw_version"]
        if shown != ("naviGuertel-sim", "feelSpace", "naviBelt", "52"):
            raise OSError(f"the page of the belt shows {shown}")
        self.enable()
        self.settle()

    def know(self):
        """Waits until no enabled entity is unknown: a healthy device has a value, a word, or no such entity yet.

        Home Assistant itself shows a button, a message and an event as unknown until the first one."""
        unknown = []

        def is_known():
            states = self.assistant.states()
            unknown[:] = [
                entity["entity_id"] for kind in [*self.addresses, "attic"] for entity in self.entities(kind)
                if not entity["disabled_by"] and states.get(entity["entity_id"]) == "unknown"
                and entity["entity_id"].split(".")[0] not in ("button", "event", "notify")]
            return not unknown

        try:
            self.wait("every value is known", is_known)
        except TimeoutError as error:
            raise TimeoutError(f"{error}; unknown: {unknown}") from None

    def enable(self):
        """Switches on every feature that is off by default."""
        for kind in self.addresses:
            for entity in self.entities(kind):
                if entity["disabled_by"]:
                    self.assistant.say("config/entity_registry/update", entity_id=entity["entity_id"], disabled_by=None)
        entry = next(entry for entry in self.assistant.call("GET", "/api/config/config_entries/entry")
                     if entry["domain"] == "mqtt")
        self.assistant.call("POST", f"/api/config/config_entries/entry/{entry['entry_id']}/reload")

    def triggers(self):
        """The triggers of gestures that Home Assistant offers for the TAP, by action."""
        device = self.registered()[self.identifier("tap")]["id"]
        offered = self.assistant.say("device_automation/trigger/list", device_id=device)
        return {trigger["subtype"]: trigger for trigger in offered if trigger.get("subtype") in ACTIONS}

    def gestures(self):
        """An automation starts by the name of an action."""
        self.wait("a trigger for each action", lambda: set(self.triggers()) == set(ACTIONS))
        self.assistant.save_automation("lights", {
            "alias": "lights", "triggers": [self.triggers()["lights_off"]],
            "actions": [{"action": "persistent_notification.create", "data": {"message": "lights off"}}]})
        self.tap()

    def tap(self):
        """Taps two gestures, of which the second has the automation, and checks that it runs once."""
        def notices():
            return [notice["message"] for notice in self.assistant.say("persistent_notification/get")].count("lights off")

        before, unique = notices(), f"{self.identifier('tap')}_action"
        entity = next(entity["entity_id"] for entity in self.entities("tap") if entity["unique_id"] == unique)
        for fingers, action in (((1, 1), "scene"), ((3,), "lights_off")):
            for combination in fingers:
                self.hosts.air.act(f"tap {combination}")
            self.wait(f"{entity} is {action}", lambda: self.assistant.state(entity)["attributes"].get("event_type") == action)
        if "thumb" in str(event := self.assistant.state(entity)):
            raise OSError(f"the action shows taps, which only typists may read: {event}")
        self.wait("the automation has run", lambda: notices() > before)
        if notices() != before + 1:
            raise OSError(f"the automation has run {notices() - before} times")

    def change(self):
        """Without the first action, the triggers of the others stay."""
        lines = GESTURES.splitlines(True)
        self.hosts.write("hall", "/etc/tactile-bridge/gestures/home.yaml", "".join(
            line for line in lines if f"action: {ACTIONS[0]} " not in line))
        self.ask("hall", "reload")
        self.wait("the triggers of the new file", lambda: set(self.triggers()) == set(ACTIONS[1:]))
        self.settle(["tap"])
        self.tap()
        self.assistant.call("DELETE", "/api/config/automation/config/lights")

    def settle(self, kinds=None):
        """Waits until Home Assistant has the entities of all devices and reports each as available."""
        for kind in kinds or self.addresses:
            self.wait(f"all of {kind} is available", lambda: self.are_available(kind))
            # Messages during a change of topics are replaced by others when the topics have changed.
            self.wait(f"{kind} is announced for good", lambda: self.announcement(kind).get("avty_mode") == "all")

    def are_available(self, kind):
        states = self.assistant.states()
        wanted = [entity["entity_id"] for entity in self.entities(kind)]
        return bool(wanted) and all(states.get(entity, "unavailable") != "unavailable" for entity in wanted)

    def rename(self):
        for kind, name in self.names.items():
            self.ask("attic", "rename", device=name, to=f"moved/{kind}")
            self.names[kind] = f"moved/{kind}"
            self.wait(f"{kind} is announced with its new topics", lambda: (
                f'"moved/{kind}/availability"' in json.dumps(self.announcement(kind))))
        self.settle()
        self.tap()

    def roam(self):
        for kind, name in self.names.items():
            self.hosts.air.act(f"move {kind} attic off hall -50")
            self.wait(f"hall has {kind}", lambda: (
                '"state":"connected","bridge":"hall"' in self.stored(f"{name}/connection")))
        self.settle()
        self.tap()

    def restart(self):
        for host in ("hall", "attic"):
            self.hosts.check(host, "systemctl restart tactile-bridge")
        self.settle()
        self.tap()

    def forget(self):
        for kind, name in self.names.items():
            self.ask("hall", "forget", device=name)
            self.wait(f"Home Assistant has {kind} no more", lambda: self.identifier(kind) not in self.registered())

    def run(self, step, stays=False):
        """Runs a step, and checks Home Assistant's log afterwards.

        With `stays` nothing may become unavailable."""
        since, begun = len(self.assistant.complaints()), time.monotonic()
        changes = len(self.assistant.changes())
        kinds = {entity["entity_id"]: kind for kind in self.addresses for entity in self.entities(kind)} if stays else {}
        getattr(self, step)()
        said = self.assistant.complaints()[since:]
        gone = [entity for entity, state in self.assistant.changes()[changes:]
                if state == "unavailable" and entity in kinds]
        print(f"{step}: {len(self.addresses)} devices in {time.monotonic() - begun:.1f} s; Home Assistant's log: "
              f"{len(said)} lines; became unavailable: {len(set(gone)) if stays else '-'}")
        for line in said[:8]:
            print("  " + line[:300])
        if gone:
            print("  unavailable:", {kind: sum(kinds[entity] == kind for entity in set(gone)) for kind in self.addresses})
        self.faults += said + gone


def main():
    root, programs, *_ = sys.argv[1:]
    with Assistant(root) as assistant, tempfile.TemporaryDirectory(prefix="changes-") as work, \
            Hosts(["attic", "hall"], programs, STAGE, work) as hosts:
        changes = Changes(hosts, assistant)
        try:
            changes.run("join")
            changes.run("gestures")
            assistant.watch()
            changes.run("rename", stays=True)
            changes.run("roam", stays=True)
            changes.run("restart")
            changes.run("change")
            changes.run("forget")
        except (TimeoutError, OSError) as error:
            changes.faults.append(str(error))
            print(f"not done: {error}")
            for name in ("attic", "hall"):
                print(hosts.run(name, "tail -n 12 /var/log/tactile-bridge/log")[1])
    print(f"in Home Assistant {assistant.version}: {'nothing' if not changes.faults else len(changes.faults)} to complain of")
    sys.exit(1 if changes.faults else 0)


main()
