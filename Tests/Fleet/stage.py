"""A running fleet: brokers, hosts with their bridges, simulated devices, and clients that watch, command and drive."""

import itertools
import threading
import time
from contextlib import ExitStack

from client import Client
from hosts import Host
from machines import Air, Missing, wait
from network import DOMAIN, Network

SUPERVISION = "420ms"


class Stage:
    """All processes of a scene; they end with the `with` block."""

    def __init__(self, work, programs, hosts, devices, brokers, nodes, old=None, one_order=False):
        """`devices` maps a name to kind and host; None is a device in range of all hosts. Each bridge knows all of
        them.

        `old` is the folder of an earlier program: then all configurations are valid for it too.
        """
        self.devices = {name: {"kind": kind, "host": host, "address": f"C0:FF:EE:00:{number >> 8:02X}:{number & 255:02X}"}
                        for number, (name, (kind, host)) in enumerate(devices.items(), 0x101)}
        self.stack = ExitStack()
        self.network = Network(work, [*nodes, *hosts])
        self.stack.callback(self.network.close)
        try:
            self.brokers = brokers(self.network, nodes)
            self.hosts = {}
            places = {"new": programs} | ({"old": old} if old else {})
            for name in hosts:
                self.hosts[name] = Host(self.network, name, places)
                self.stack.callback(self.hosts[name].end)
            for number, name in enumerate(hosts):
                # The bridges start with different nodes.
                first = 0 if one_order else number % len(nodes)
                self.hosts[name].configure(self.configuration(name, nodes[first:] + nodes[:first], old))
            self.brokers.install(next(iter(self.hosts.values())).machine, list(hosts), may_all=bool(old))
            self.brokers.wait_for_each_other()
            scenario = work / "air.yaml"
            scenario.write_text(self.scenario())
            self.air = Air(programs / "tactile-simulator", scenario,
                           {name: host.bus for name, host in self.hosts.items()})
            self.stack.callback(self.air.end)
            # A watcher on each node, which does not change to another.
            self.watchers = {name: self.stack.enter_context(Client("typist", [node.address], ["#"]))
                             for name, node in self.brokers.nodes.items()}
            self.operator = self.stack.enter_context(Client("operator", self.brokers.addresses))
            order = self.brokers.addresses if one_order else self.brokers.addresses[::-1]
            self.driver = self.stack.enter_context(Client("driver", order))
        except BaseException:
            self.stack.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stack.close()

    def configuration(self, name, nodes, old):
        hosts = "hosts: [" + ", ".join(f"{{ host: {node}.{DOMAIN} }}" for node in nodes) + "]"
        if old:
            hosts = f"host: {nodes[0]}.{DOMAIN}"
        devices = "".join(f"  {device}: {{ family: {it['kind']}, address: \"{it['address']}\" }}\n"
                          for device, it in self.devices.items())
        return (f"mqtt: {{ {hosts}, username: {name}, keep_alive_s: 5 }}\n"
                f"bluetooth: {{ join: configured }}\ndevices:\n{devices}")

    def scenario(self):
        devices = "".join(
            f"  {name}: {{ kind: {it['kind']}, address: \"{it['address']}\""
            f"{', bonded: true' if it['kind'] == 'tap' else ''} }}\n" for name, it in self.devices.items())
        hosts = "".join(
            f"  {host}: {{ rssi: {{ "
            + ", ".join(f"{name}: {self.level(it['host'], host)}" for name, it in self.devices.items())
            + " } }\n" for host in self.hosts)
        return f"bluez: {{ supervision_timeout: {SUPERVISION} }}\ndevices:\n{devices}hosts:\n{hosts}"

    @staticmethod
    def level(own, host):
        """The signal strength with which a host receives a device of itself, of another host, or of none."""
        return -60 if own is None else -50 if own == host else "off"

    @property
    def watcher(self):
        """A watcher on a running node."""
        return next(iter(self.watchers.values()))

    @staticmethod
    def fresh(node):
        """The retained messages that a new client receives on a node."""
        with Client("typist", [node.address], ["#"]) as client:
            # The marker arrives after all retained messages.
            client.publish("marker/end", "")
            client.expect("marker/end", lambda message: not message.is_retained)
            return {message.topic: message.payload for message in client.seen if message.is_retained}

    def start(self):
        """Starts all bridges, and waits until each device is online."""
        begun = time.monotonic()
        for host in self.hosts.values():
            host.start()
        self.expect_devices()
        return time.monotonic() - begun

    def expect_devices(self, watcher=None, since=0, seconds=60):
        watcher = watcher or self.watcher
        for name, it in self.devices.items():
            watcher.expect(f"{name}/connection", lambda message, it=it: it["host"] in (None, message.json.get("bridge"))
                           and message.json.get("state") == "connected", seconds, since)
            watcher.expect(f"{name}/availability", lambda message: message.payload == "online", seconds, since)

    def power_on(self, robot, watcher=None):
        """Waits until the status shows that the robot may be driven, as a driver does, and switches the power on."""
        watcher = watcher or self.watcher
        end = time.monotonic() + 30
        while True:
            wait(f"{robot} can be driven", lambda: (newest := watcher.newest(f"{robot}/status"))
                 and newest.json.get("connection") == "connected" and newest.json.get("blocked_by") is None, 30)
            answer = watcher.ask(self.driver, f"{robot}/power/set", {"power": True})
            if answer["status"] == "ok":
                return
            if time.monotonic() > end:
                raise Missing(f"power of {robot}: {answer}")


class Repeatedly:
    """Repeats an action at a rate in the background, until the `with` block ends."""

    def __init__(self, rate, act):
        self.rate, self.act, self.goes = rate, act, True
        self.thread = threading.Thread(target=self.work, daemon=True)

    def work(self):
        begun = time.monotonic()
        for number in itertools.count():
            if not self.goes:
                return
            self.act(number)
            time.sleep(max(0, begun + (number + 1) / self.rate - time.monotonic()))

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.goes = False
        self.thread.join()
