"""A client of several brokers with the same messages: if its broker fails, it connects to the next."""

import itertools
import json
import os
import select
import socket
import threading
import time
from collections import deque
from dataclasses import dataclass

from paho.mqtt import client as mqtt

from machines import Missing, wait

PASSWORD = "CHANGE-ME"


@dataclass
class Message:
    time: float
    topic: str
    payload: str
    is_retained: bool

    @property
    def json(self):
        try:
            value = json.loads(self.payload)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


class Client:
    """Collects the messages that it subscribes to.

    Only its own thread uses the connection: the library's client is not thread-safe.
    """

    def __init__(self, user, brokers, topics=(), identifier=None):
        self.brokers, self.topics = itertools.cycle(brokers), topics
        self.seen, self.connections, self.refused, self.left = [], [], [], False
        self.at, self.takes = None, False
        self.waiting, self.wake = deque(), os.pipe()
        self.client = mqtt.Client(identifier or f"{user}-{id(self)}", protocol=mqtt.MQTTv5)
        self.client.username_pw_set(user, PASSWORD)
        self.client.max_inflight_messages_set(1000)
        self.client.on_connect, self.client.on_message = self.connected, self.came
        self.client.on_subscribe = self.subscribed
        self.client.on_socket_open = lambda _client, _data, it: it.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.subscriptions = 0
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()
        wait(f"a connection of {user}", lambda: self.connections and self.subscriptions >= len(topics))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.left:
            return
        self.left = True
        os.write(self.wake[1], b".")
        self.thread.join(5)
        for end in self.wake:
            os.close(end)

    def work(self):
        while not self.left:
            self.at = next(self.brokers)
            try:
                self.client._connect_timeout = 1
                self.client.connect(self.at, 1883, keepalive=5)
            except OSError:
                time.sleep(0.05)
                continue
            while not self.left and self.step():
                pass
            self.takes = False
            if self.left:
                self.client.disconnect()
                self.client.loop(0.1)

    def step(self):
        """Handles one event, and returns whether the client is connected afterwards."""
        # Queued messages are sent as soon as there is a connection.
        while self.takes and self.waiting:
            topic, payload, qos, retain = self.waiting.popleft()
            self.client.publish(topic, payload, qos=qos, retain=retain)
        place = self.client.socket()
        if place is None:
            return False
        readable, writable, _ = select.select(
            [place, self.wake[0]], [place] if self.client.want_write() else [], [], 0.2)
        if self.wake[0] in readable:
            os.read(self.wake[0], 4096)
        if place in readable and self.client.loop_read() != mqtt.MQTT_ERR_SUCCESS:
            return False
        if writable and self.client.loop_write() != mqtt.MQTT_ERR_SUCCESS:
            return False
        return self.client.loop_misc() == mqtt.MQTT_ERR_SUCCESS

    def connected(self, client, _data, _flags, reason, _properties=None):
        if reason != 0:
            self.refused.append(str(reason))
            return
        self.takes = True
        self.connections.append((time.monotonic(), self.at))
        for topic in self.topics:
            client.subscribe(topic, qos=1)

    def subscribed(self, _client, _data, _mid, reasons, _properties=None):
        self.subscriptions += 1
        self.refused += [str(reason) for reason in reasons if reason.value >= 128]

    def came(self, _client, _data, message):
        self.seen.append(Message(
            time.monotonic(), message.topic, message.payload.decode(errors="replace"), message.retain))

    def publish(self, topic, payload="", qos=1, retain=False):
        """Publishes a message. At QoS 1 it is sent again on the next broker if the present one did not acknowledge
        it."""
        if not isinstance(payload, str):
            payload = json.dumps(payload)
        # A message with QoS 0 is not sent later.
        if not self.left and (self.takes or qos):
            self.waiting.append((topic, payload, qos, retain))
            os.write(self.wake[1], b".")

    def expect(self, topic, matches=lambda message: True, seconds=15.0, since=0):
        """Waits for a message, from an index on, and returns it."""
        position = since

        def find():
            nonlocal position
            while position < len(self.seen):
                message = self.seen[position]
                position += 1
                if message.topic == topic and matches(message):
                    return message
            return None

        try:
            return wait(topic, find, seconds, 0.002)
        except Missing as error:
            newest = [message for message in self.seen if message.topic == topic][-3:]
            raise Missing(f"{error}; the newest there: {[message.payload[:300] for message in newest]}") from None

    def newest(self, topic):
        return next((message for message in reversed(self.seen) if message.topic == topic), None)

    def ask(self, sender, topic, payload, seconds=10.0):
        """Sends a command or a request by another client, and returns its answer."""
        since, number = len(self.seen), str(time.monotonic_ns())
        sender.publish(topic, payload | {"id": number})
        answers = topic.replace("/request/", "/response/") if "/request/" in topic else \
            topic.removesuffix("/set").rsplit("/", 1)[0] + "/result"
        return self.expect(answers, lambda message: message.json.get("id") == number, seconds, since).json
