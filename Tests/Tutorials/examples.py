"""Compares the topics in the examples for other programs with the bridge's, and the flow's wires with its nodes.

usage: examples.py PROGRAMS
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import yaml

EXAMPLES = Path(__file__).parent.parent.parent / "docs/examples"
# Topics that do not belong to the bridge: a doorbell, and Response Topics.
OTHERS = {"doorbell/pressed", "reply/nodered/1", "reply/nodered/#"}


def known(program):
    said = subprocess.run([program, "topics", "--format", "markdown"], stdout=subprocess.PIPE, text=True, check=True)
    topics = set(re.findall(r"^\| \[?`([^`]+/[^`]+)`", said.stdout, re.MULTILINE))
    topics = {topic.replace("<device>", "belt") for topic in topics}
    # A group accepts the commands of its members.
    return topics | {re.sub("^[^/]+", "all", topic) for topic in topics if topic.endswith("/set")}


def flow():
    nodes = json.loads((EXAMPLES / "node-red.json").read_text())
    places = {node["id"] for node in nodes}
    if len(places) < len(nodes):
        raise SystemExit("node-red.json: two nodes have one id")
    for node in nodes:
        led = [place for wire in node.get("wires", []) for place in wire] + [node.get("z")]
        led += [node["broker"]] if node["type"] in ("mqtt in", "mqtt out") else []
        for place in led:
            if place and place not in places:
                raise SystemExit(f"node-red.json: {node['name']}: leads to {place}, which is not there")
        if node.get("topic"):
            yield node["topic"]
        for rule in node.get("rules", []):
            if rule.get("p") in ("topic", "responseTopic"):
                yield rule["to"]


def parameters():
    file = yaml.safe_load((EXAMPLES / "ros2-mqtt-client.yaml").read_text())
    bridge = file["/**/*"]["ros__parameters"]["bridge"]
    out, back = bridge["ros2mqtt"], bridge["mqtt2ros"]
    for side, names in ((out, "ros_topics"), (back, "mqtt_topics")):
        if set(side[names]) != side.keys() - {names}:
            raise SystemExit("ros2-mqtt-client.yaml: a topic is listed and not described, or the other way round")
    return [out[topic]["mqtt_topic"] for topic in out["ros_topics"]] + back["mqtt_topics"]


topics = known(f"{sys.argv[1]}/tactile-bridge")
shown = [*flow(), *parameters()]
missing = set(shown) - topics - OTHERS
if missing or len(shown) < 12:
    raise SystemExit(f"the examples name topics that the bridge has not: {sorted(missing)}")
print(f"examples for other programs: {len(shown)} topics, and all are there")
