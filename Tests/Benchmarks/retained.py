"""Counts the messages that a bridge retains on the broker for a simulated belt, TAP and robot."""

import json
import subprocess
import time

from stage import Failure, Stage

ADDRESSES = {"belt": "C0:FF:EE:00:BE:01", "tap": "C0:FF:EE:00:BE:02", "robot": "C0:FF:EE:00:BE:03"}
NAMES = {"belt": "belt", "tap": "tap/00be02", "robot": "robot"}
DEVICES = {NAMES[family]: {"family": family, "address": address} for family, address in ADDRESSES.items()}


class SimulatedStage(Stage):
    """A stage on which the simulator replaces BlueZ."""

    def _run_bluez(self, programs, options):
        scenario = {"devices": {family: {"kind": family, "address": ADDRESSES[family]} for family in ADDRESSES}}
        (self.folder / "scenario.yaml").write_text(json.dumps(scenario))
        self._run(
            "rig", [programs / "tactile-simulator", "--bus", self.bus, "--scenario", self.folder / "scenario.yaml",
                    "--json", "--log-level", "error"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def retained(self) -> list[tuple[str, int, str]]:
        """The retained messages: topic, size of the payload in bytes, and the payload."""
        seen = subprocess.run(
            ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-t", "#", "--retained-only", "-W", "1",
             "-F", "%l %t %p"], capture_output=True, text=True)
        lines = [line.split(" ", 2) for line in seen.stdout.splitlines()]
        return [(topic, int(length), payload) for length, topic, payload in lines]

    def count(self, seconds=60) -> dict:
        """The bytes of each device, once all are online and two consecutive counts are equal."""
        end, before = time.monotonic() + seconds, None
        while True:
            messages = self.retained()
            sizes = by_device(messages)
            online = {topic for topic, _, payload in messages if payload == "online"}
            if before == sizes and all(f"{name}/availability" in online for name in DEVICES):
                return sizes
            if time.monotonic() > end:
                raise Failure(f"the retained messages do not come to rest: {sizes}")
            before = sizes


def by_device(messages: list[tuple[str, int, str]]) -> dict:
    """The bytes of topics and payloads of each family's device, and the number for Home Assistant's discovery."""
    sizes = {key: 0 for family in ADDRESSES for key in (family, f"{family} discovery", f"{family} topics")}
    for topic, length, _ in messages:
        for family, address in ADDRESSES.items():
            announces = topic.startswith("homeassistant/") and address.replace(":", "").lower() in topic
            if announces or topic.startswith(NAMES[family] + "/"):
                size = len(topic.encode()) + length
                sizes[family] += size
                sizes[f"{family} topics"] += 1
                if announces:
                    sizes[f"{family} discovery"] += size
    return sizes
