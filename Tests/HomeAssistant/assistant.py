"""A running Home Assistant, and the user's actions in its browser, each as the front end's calls."""

import json
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

PORT = 8123
CONFIGURATION = """
homeassistant: { name: Home, time_zone: UTC }
frontend:
automation: !include automations.yaml
input_button:
"""
# Forwards the front end's WebSocket messages; runs with the libraries of Home Assistant, one line each way.
SOCKET = """
import asyncio, json, sys, aiohttp
async def main(url, token):
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        await socket.receive_json()
        await socket.send_json({"type": "auth", "access_token": token})
        assert (await socket.receive_json())["type"] == "auth_ok"
        for number, line in enumerate(sys.stdin, 1):
            await socket.send_json({**json.loads(line), "id": number})
            while (answer := await socket.receive_json()).get("id") != number or answer["type"] != "result":
                pass
            print(json.dumps(answer), flush=True)
asyncio.run(main(*sys.argv[1:]))
"""

# Prints each change of a state as a line: the entity and its new state.
WATCH = """
import asyncio, sys, aiohttp
async def main(url, token):
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        await socket.receive_json()
        await socket.send_json({"type": "auth", "access_token": token})
        assert (await socket.receive_json())["type"] == "auth_ok"
        await socket.send_json({"type": "subscribe_events", "event_type": "state_changed", "id": 1})
        print("ready", flush=True)
        async for message in socket:
            if (heard := message.json())["type"] == "event":
                data = heard["event"]["data"]
                print(data["entity_id"], (data["new_state"] or {}).get("state", "gone"), flush=True)
asyncio.run(main(*sys.argv[1:]))
"""


class Assistant:
    """Home Assistant in its system at `root`, with its own configuration, which is deleted with the namespace."""

    def __init__(self, root):
        self.root, self.address, self.token, self.process = Path(root), f"http://127.0.0.1:{PORT}", None, None
        self.folder = self.root / "opt/config"
        self.log, self.watcher = self.folder / "said", None

    def __enter__(self):
        self.folder.mkdir(exist_ok=True)
        for kind, place in (("tmpfs", self.folder), ("proc", self.root / "proc")):
            subprocess.run(["mount", "-t", kind, kind, place], check=True)
        (self.folder / "configuration.yaml").write_text(CONFIGURATION)
        (self.folder / "automations.yaml").write_text("[]\n")
        # The voice detection requires a compiler: the test never calls it, but its import must not fail.
        stand_ins = self.folder / "stand-ins"
        stand_ins.mkdir()
        (stand_ins / "pymicro_vad.py").write_text("class MicroVad: pass\n")
        (stand_ins / "pyspeex_noise.py").write_text("class AudioProcessor: pass\n")
        # Integrations other than MQTT miss packages here: Home Assistant logs it and continues.
        with self.log.open("w") as said:
            self.process = self.inside("/opt/ha/bin/hass", "--config", "/opt/config", "--skip-pip",
                                       stdout=said, stderr=said)
        self.wait("Home Assistant answers", lambda: self.call("GET", "/api/onboarding"), seconds=120)
        return self

    def __exit__(self, *_):
        if self.token:
            self.socket.kill()
        if self.watcher:
            self.watcher.kill()
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def inside(self, *command, **options):
        return subprocess.Popen(["chroot", self.root, "/usr/bin/env", "HOME=/root", "PYTHONPATH=/opt/config/stand-ins", *command], **options)

    @staticmethod
    def wait(what, is_there, seconds=20):
        end = time.monotonic() + seconds
        while True:
            try:
                if found := is_there():
                    return found
            except (urllib.error.URLError, ConnectionError):
                pass
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds} s: {what}")
            time.sleep(0.1)

    # The calls of its front end.

    def call(self, method, path, data=None, is_form=False):
        headers, body = {}, None
        if data is not None:
            body = (urllib.parse.urlencode(data) if is_form else json.dumps(data)).encode()
            headers["Content-Type"] = "application/x-www-form-urlencoded" if is_form else "application/json"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.address + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise OSError(f"Home Assistant refuses {path}: {error.code}: {error.read().decode()}") from None

    def say(self, kind, **data):
        self.socket.stdin.write(json.dumps({"type": kind, **data}) + "\n")
        self.socket.stdin.flush()
        answer = json.loads(self.socket.stdout.readline())
        if not answer["success"]:
            raise OSError(f"Home Assistant refuses {kind}: {answer['error']['message']}")
        return answer["result"]

    def watch(self):
        """Records changes of entity states from now on."""
        with (self.folder / "changes").open("w") as changes:
            self.watcher = self.inside(
                "/opt/ha/bin/python", "-c", WATCH, f"ws://127.0.0.1:{PORT}/api/websocket", self.token, stdout=changes)
        self.wait("the changes are watched", lambda: "ready" in (self.folder / "changes").read_text())

    def changes(self):
        """The recorded changes: entity, state."""
        if not self.watcher:
            return []
        lines = (self.folder / "changes").read_text().splitlines()
        return [tuple(line.split(" ", 1)) for line in lines if " " in line]

    # The user's actions.

    def begin(self):
        """The first visit: creates a user and completes the onboarding."""
        page = self.address + "/"
        answer = self.call("POST", "/api/onboarding/users", {
            "client_id": page, "name": "Anna", "username": "anna", "password": "a belt", "language": "en"})
        self.tokens = self.call("POST", "/auth/token", {
            "client_id": page, "grant_type": "authorization_code", "code": answer["auth_code"]}, is_form=True)
        self.token = self.tokens["access_token"]
        for step, data in (("core_config", {}), ("analytics", {}),
                           ("integration", {"client_id": page, "redirect_uri": page})):
            self.call("POST", f"/api/onboarding/{step}", data)
        self.socket = self.inside(
            "/opt/ha/bin/python", "-c", SOCKET, f"ws://127.0.0.1:{PORT}/api/websocket", self.token,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def add_mqtt(self, broker, port):
        """Settings, Devices & services, Add integration, MQTT."""
        flow = self.call("POST", "/api/config/config_entries/flow", {"handler": "mqtt"})
        answer = self.call("POST", f"/api/config/config_entries/flow/{flow['flow_id']}", {
            "broker": broker, "port": int(port), "protocol": "5",
            "other_settings": {"set_client_cert": False, "set_ca_cert": "off", "transport": "tcp"}})
        if answer["type"] != "create_entry":
            raise OSError(f"MQTT was not set up: {answer}")

    def make_button(self, name):
        """Settings, Devices & services, Helpers, Create helper, Button."""
        self.say("input_button/create", name=name)

    def save_automation(self, name, automation):
        """The editor of automations, Save."""
        self.call("POST", f"/api/config/automation/config/{name}", automation)
        self.wait(f"the automation {name} is on", lambda: any(
            state["attributes"].get("id") == name and state["state"] == "on" for state in self.call("GET", "/api/states")))

    def save_dashboard(self, path, dashboard):
        """Settings, Dashboards, Add dashboard, and its raw configuration editor."""
        self.say("lovelace/dashboards/create", url_path=path, title=dashboard["title"], mode="storage",
                 icon="mdi:vibrate", show_in_sidebar=True, require_admin=False)
        self.say("lovelace/config/save", url_path=path, config=dashboard)

    def act(self, action, **data):
        domain, _, name = action.partition(".")
        self.call("POST", f"/api/services/{domain}/{name}", data)

    def state(self, entity):
        return self.call("GET", f"/api/states/{entity}")

    def states(self):
        return {state["entity_id"]: state["state"] for state in self.call("GET", "/api/states")}

    def device(self, name):
        """The device with a name."""
        def devices():
            return {device["name"]: device["id"] for device in self.say("config/device_registry/list")}
        try:
            return self.wait(f"Home Assistant has the device {name}", lambda: devices().get(name))
        except TimeoutError as error:
            raise TimeoutError(f"{error}; it has {sorted(devices())}") from None

    @property
    def version(self):
        return (self.root / "opt/installed").read_text().strip()

    def complaints(self):
        """The log lines about MQTT, templates, blueprints and automations."""
        about = ("components.mqtt", "components.automation", "components.blueprint", "helpers.template", "script")
        return [line for line in self.log.read_text().splitlines()
                if (" ERROR " in line or " WARNING " in line) and any(f"[homeassistant.{part}" in line for part in about)
                or "homeassistant.components.automation" in line and " ERROR " in line]
