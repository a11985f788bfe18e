#!/usr/bin/env python3
"""Talks to the bridge with paho-mqtt (Debian: python3-paho-mqtt; PyPI: paho-mqtt).

Exit codes: 0 done, 1 the bridge refused, 64 wrong usage, 69 no broker or no answer.
"""
import argparse
import getpass
import json
import os
import queue
import random
import sys
import time

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

NO_ANSWER = 69


class Bridge:
    """One connection to the broker, on which answers are told by their correlation data."""

    def __init__(self, host, port):
        version = [mqtt.CallbackAPIVersion.VERSION2] if hasattr(mqtt, "CallbackAPIVersion") else []
        self.client = mqtt.Client(*version, protocol=mqtt.MQTTv5)
        self.messages = queue.Queue()
        self.granted = queue.Queue()
        self.client.on_message = lambda client, data, message: self.messages.put(message)
        self.client.on_subscribe = lambda client, data, mid, *rest: self.granted.put(mid)
        self.client.connect(host, port)
        self.client.loop_start()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.client.disconnect()
        self.client.loop_stop()

    def subscribe(self, topic):
        """Returns when the subscription is in force."""
        self.client.subscribe(topic, qos=1)
        self.granted.get(timeout=10)

    def send(self, topic, payload, qos=1, properties=None):
        self.client.publish(topic, payload, qos=qos, properties=properties).wait_for_publish(10)

    def call(self, topic, payload=""):
        """Sends a command or a request and returns its answer; `queue.Empty` if none comes within 10 s."""
        number = random.randrange(1 << 32)
        properties = Properties(PacketTypes.PUBLISH)
        properties.ResponseTopic = f"reply/{getpass.getuser()}/{number}"
        properties.CorrelationData = str(number).encode()
        self.subscribe(properties.ResponseTopic)
        self.send(topic, payload, properties=properties)
        end = time.monotonic() + 10
        while True:
            message = self.messages.get(timeout=max(end - time.monotonic(), 0.001))
            if message.properties.CorrelationData == properties.CorrelationData:
                return json.loads(message.payload)

    def follow(self, topic):
        """Gives the state that is retained, and each one after it."""
        self.subscribe(topic)
        while True:
            yield self.messages.get().payload.decode()

    def drive(self, robot, seconds, speed):
        """Drives forward for a while.

        A drive command is a lease of 300 ms: the robot stops by itself if this program falls silent. So it is renewed
        every 100 ms for as long as it is wanted, and ended by a stop. `hold` names this press of the stick: if a person
        stops the robot meanwhile, what is still sent moves nothing.
        """
        lease = {"direction": 0, "speed": speed, "duration_ms": 300, "hold": random.randrange(1 << 53)}
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                self.send(f"{robot}/drive/set", json.dumps(lease), qos=0)
                time.sleep(0.1)
        finally:
            self.send(f"{robot}/stop/set", "")


def show(answer):
    print(json.dumps(answer))
    return 0 if answer["status"] == "ok" else 1


def run(options):
    with Bridge(options.host, options.port) as bridge:
        if options.command == "devices":
            for device in bridge.call(f"bridge/{options.bridge}/request/devices")["devices"]:
                print(device["name"], device["family"], device["availability"])
        elif options.command == "call":
            return show(bridge.call(options.topic, options.payload))
        elif options.command == "follow":
            for number, payload in enumerate(bridge.follow(options.topic), 1):
                print(payload, flush=True)
                if number == options.count:
                    break
        else:
            bridge.drive(options.robot, options.seconds, options.speed)
    return 0


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(64, f"{self.prog}: {message}\n")


def parse():
    parser = Parser(description=__doc__)
    parser.add_argument("--host", default=os.environ.get("BROKER_HOST", "localhost"))
    parser.add_argument("--port", type=int, default=int(os.environ.get("BROKER_PORT", "1883")))
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("devices", help="list the devices of a bridge")
    command.add_argument("bridge")
    command = commands.add_parser("call", help="send a command or a request, and print its answer")
    command.add_argument("topic")
    command.add_argument("payload", nargs="?", default="")
    command = commands.add_parser("follow", help="print a state or an event, now and whenever it changes")
    command.add_argument("topic")
    command.add_argument("--count", type=int, help="end after so many")
    command = commands.add_parser("drive", help="drive a robot forward for a while, and stop it")
    command.add_argument("robot")
    command.add_argument("seconds", type=float)
    command.add_argument("--speed", type=float, default=0.3)
    return parser.parse_args()


def main():
    try:
        return run(parse())
    except KeyboardInterrupt:
        return 0
    except queue.Empty:
        print("no answer within 10 s", file=sys.stderr)
    except OSError as error:
        print(f"no broker: {error}", file=sys.stderr)
    return NO_ANSWER


if __name__ == "__main__":
    sys.exit(main())
