"""The environment of the console's tests: a broker, simulated devices, a bridge, the console, and Chromium."""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt import subscribe
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from selenium import webdriver

from wire import Wire

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path(os.environ.get("CONSOLE_PAGE") or ROOT / "console")
SCENARIO = """
devices:
  belt: { kind: belt, address: "C0:FF:EE:00:BE:01" }
  tap: { kind: tap, address: "C0:FF:EE:00:BE:02", bonded: true }
  robot: { kind: robot, address: "C0:FF:EE:00:B0:01" }
  wrist:
    { kind: file, file: "%s/config/devices/buzz.yaml", bluetooth_name: Buzz 1, address: "C0:FF:EE:00:BE:04" }
  # A keyboard that the host does not know: the bridge tells of it, and it joins by its address.
  stranger: { kind: tap, address: "C0:FF:EE:00:BE:05" }
""" % ROOT
NAMES = ["belt", "robot", "tap/00be02", "wrist"]


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def wait_for(what, condition, seconds=15):
    """Returns the first true value of the condition."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {seconds} s")


class Stage:
    """All processes; `wheels` has the robot's wheels as `(time, moving)` by the monotonic clock."""

    def __init__(self, programs):
        self.programs = Path(programs)
        self.folder = Path(tempfile.mkdtemp())
        self.processes = []
        self.wires = []
        self.wheels = []
        self.messages = []
        try:
            self.start()
        except BaseException:
            self.end()
            raise

    def run(self, name, *command, **more):
        with open(self.folder / f"{name}.log", "wb") as log:
            process = subprocess.Popen(
                [str(part) for part in command], stderr=log, start_new_session=True, **{"stdout": log, **more})
        self.processes.append(process)
        return process

    def start(self):
        self.port, self.web = free_port(), f"127.0.0.1:{free_port()}"
        (self.folder / "mosquitto.conf").write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.start_broker()
        (self.folder / "scenario.yaml").write_text(SCENARIO)
        self.simulator = simulator = self.run(
            "simulator", self.programs / "tactile-simulator", "--bus", "private", "--json", "--scenario",
            self.folder / "scenario.yaml", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        bus = []
        threading.Thread(target=self.read, args=(simulator.stdout, bus), daemon=True).start()
        wait_for("the simulator", lambda: bus)
        self.client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.client.on_message = self.heard
        self.client.on_connect = lambda *_: self.client.subscribe("#", qos=1)
        wait_for("the broker", self.connect)
        self.client.loop_start()
        (self.folder / "gestures").mkdir()
        (self.folder / "gestures/home.yaml").write_text(json.dumps({
            "version": 1, "family": "tap", "layers": {
                "base": [{"inputs": "tapped ring+pinky", "action": "lights_off", "layer": "media"}],
                "media": [{"inputs": "tapped ring+pinky", "action": "next", "layer": "base"}]}}))
        (self.folder / "bridge.yaml").write_text(json.dumps({
            "mqtt": {"port": self.port}, "bluetooth": {"bus": bus[0], "join": "always"},
            "bridge": {"id": "test", "state_directory": str(self.folder / "bridge")},
            "devices": {"belt": {"family": "belt", "address": "C0:FF:EE:00:BE:01"},
                        "wrist": {"family": "buzz", "address": "C0:FF:EE:00:BE:04"}},
            "groups": {"room": ["belt", "wrist"]},
            "gestures": {"directory": str(self.folder / "gestures")},
            "haptics": {"directory": str(ROOT / "config/patterns")}}))
        self.start_bridge()
        self.start_console()

    def start_broker(self):
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.broker = self.run("mosquitto", program, "-c", self.folder / "mosquitto.conf")

    def start_bridge(self):
        bridge = self.programs / "tactile-bridge"
        before = {device: len(self.of(f"{device}/availability")) for device in NAMES}
        self.bridge = self.run("bridge", bridge, "run", "--config", self.folder / "bridge.yaml")
        for device in NAMES:
            wait_for(device, lambda: "online" in self.of(f"{device}/availability")[before[device]:], 30)

    def start_console(self):
        program = self.programs / "tactile-bridge-console"
        command = [program, "--config", self.folder / "console.yaml", "--page", PAGE]
        (self.folder / "console").mkdir(exist_ok=True)
        (self.folder / "console.yaml").write_text(json.dumps({
            "mqtt": {"port": self.port}, "bridge": {"state_directory": str(self.folder / "console")},
            "gestures": {"directory": str(self.folder / "gestures")},
            "console": {"listen": self.web, "allowed_hosts": ["console.test"], "frame_ancestors": ["self"],
                        "roles": {"*": ["viewer", "operator", "driver", "typist"]}}}))
        # Without root's capabilities, as for users: this detects a missing right even where root runs the tests.
        rights = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"] if os.getuid() == 0 else []
        self.console = self.run("console", *rights, *command)
        wait_for("the console", lambda: b"ready" in (self.folder / "console.log").read_bytes())
        self.link = subprocess.run(
            [str(part) for part in [*command, "--link"]], capture_output=True, text=True, check=True,
            timeout=10).stdout.split()[0]

    def other_console(self, name, mqtt={}, roles=("viewer",), page=PAGE):
        """A second console with its own settings and page. Returns its link."""
        web = f"127.0.0.1:{free_port()}"
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        (folder / "console.yaml").write_text(json.dumps({
            "mqtt": {"port": self.port, **mqtt}, "bridge": {"state_directory": str(folder)},
            "console": {"listen": web, "roles": {"*": list(roles)}}}))
        command = [self.programs / "tactile-bridge-console", "--config", folder / "console.yaml", "--page", page]
        self.run(name, *command)
        wait_for(name, lambda: b"ready" in (self.folder / f"{name}.log").read_bytes())
        return subprocess.run([str(part) for part in [*command, "--link"]], capture_output=True, text=True, check=True,
                              timeout=10).stdout.split()[0]

    def wire(self):
        """A wire to the console."""
        self.wires.append(Wire(int(self.web.split(":")[1])))
        return self.wires[-1]

    def link_over(self, wire):
        return self.link.replace(self.web, f"127.0.0.1:{wire.port}")

    def address(self, path, host="127.0.0.1"):
        return f"http://{host}:{self.web.split(':')[1]}/{path}"

    def act(self, line):
        """Types a line into the simulator."""
        self.simulator.stdin.write(f"{line}\n".encode())
        self.simulator.stdin.flush()

    def connect(self):
        try:
            return self.client.connect("127.0.0.1", self.port) == 0
        except ConnectionRefusedError:
            return False

    def read(self, stream, bus):
        for line in stream:
            event = json.loads(line)
            if event.get("event") == "ready":
                bus.append(event["bus"])
            elif event.get("event") == "wheels":
                names = ["left_front", "right_front", "left_rear", "right_rear"]
                self.wheels.append((event["time"], any(event[name] for name in names)))

    def heard(self, _client, _data, message):
        self.messages.append((message.topic, message.payload.decode()))

    def of(self, topic):
        return [payload for name, payload in list(self.messages) if name == topic]

    def request(self, name):
        """Sends a request to the bridge. Returns the answer."""
        properties = Properties(PacketTypes.PUBLISH)
        properties.ResponseTopic = "answer/test"
        before = len(self.of("answer/test"))
        self.client.publish(f"bridge/test/request/{name}", "{}", qos=1, properties=properties)
        wait_for(name, lambda: len(self.of("answer/test")) > before)
        return json.loads(self.newest("answer/test"))

    def retained(self, topic):
        """The retained message of a topic, as a new client receives it."""
        return subscribe.simple(topic, hostname="127.0.0.1", port=self.port).payload.decode()

    def retained_topics(self, filter):
        """The retained topics that a filter accepts, as a new client receives them."""
        found = []
        # The broker sends what it retains in the order of the subscriptions.
        last = "bridge/test/availability"
        def take(client, _data, message):
            if message.topic == last:
                client.disconnect()
            else:
                found.append(message.topic)
        subscribe.callback(take, [filter, last], hostname="127.0.0.1", port=self.port)
        return found

    def newest(self, topic):
        return (self.of(topic) or [None])[-1]

    def publish(self, topic, payload, retain=False):
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(5)

    @property
    def moving(self):
        return bool(self.wheels) and self.wheels[-1][1]

    def power(self):
        """Waits until the robot stands still and may be driven."""
        status = {}

        def stands():
            status.clear()
            status.update(json.loads(self.newest("robot/status") or "{}"))
            return status.get("connection") == "connected" and not status["blocked_by"] and not status["moving"]

        try:
            # A power-on message while a stop is active would prolong the stop.
            wait_for("the robot to stand ready", stands, 20)
            if not status["power"]:
                self.publish("robot/power/set", "on")
            wait_for("power", lambda: stands() and status["power"], 10)
        except AssertionError as error:
            results = self.of("robot/result")[-3:]
            raise AssertionError(f"{error}; status {status}, last results {results}") from None

    def end(self):
        for wire in self.wires:
            wire.end()
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def browser(width=1280, height=900, dark=False, language="en", *more):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", f"--lang={language}", *more]:
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_script_timeout(60)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    resize(driver, width, height)
    return driver


def resize(driver, width, height=900):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
