"""Takes the pictures that show Home Assistant: see Tests/HomeAssistant/pictures.

usage: pictures.py ROOT PROGRAMS FOLDER
  ROOT      the system with Home Assistant
  PROGRAMS  the folder with tactile-bridge, tactile-bridge-console and tactile-simulator
  FOLDER    receives the pictures
"""

import base64
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from assistant import PORT, Assistant

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "Tutorials"), str(REPOSITORY / ".build/python-console")]

from hosts import Hosts  # noqa: E402
from selenium import webdriver  # noqa: E402

BELT = "naviGuertel-sim"
CONSOLE = "127.0.0.1:9480"
DASHBOARD, DEVICE, FRAME = "^hui-.*-card$", "^ha-device-(info|entities)-card$", "^iframe$"
# Returns the elements whose name matches. The cards are in nested shadow roots, and the console is in a frame of one.
SEARCH = """
const search = (root) => [...root.querySelectorAll('*')].flatMap((element) =>
    [element, ...(element.shadowRoot ? search(element.shadowRoot) : [])]);
return search(document).filter((element) => element.localName.match(arguments[0]));
"""


class Patient(Assistant):
    """Waits longer than the tests: pictures may be taken on a busy machine."""

    @staticmethod
    def wait(what, is_there, seconds=900):
        return Assistant.wait(what, is_there, max(seconds, 900))


class Camera:
    def __init__(self, assistant, folder):
        self.assistant, self.folder = assistant, Path(folder)

    def __enter__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                       "--hide-scrollbars", "--force-device-scale-factor=1"):
            options.add_argument(option)
        self.browser = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
        self.browser.set_page_load_timeout(900)
        self.browser.get(self.assistant.address + "/manifest.json")
        tokens = {**self.assistant.tokens, "hassUrl": self.assistant.address, "clientId": self.assistant.address + "/",
                  "expires": int((time.time() + 1800) * 1000)}
        for key, value in (("hassTokens", json.dumps(tokens)), ("dockedSidebar", '"always_hidden"')):
            self.browser.execute_script("localStorage.setItem(arguments[0], arguments[1])", key, value)
        return self

    def __exit__(self, *_):
        self.browser.quit()

    def take(self, name, path, is_complete, width, height, cards=None):
        """Opens a page of Home Assistant, waits until it is complete, and saves a picture of it, or of its `cards`."""
        self.browser.set_window_size(width, height)
        self.browser.get(self.assistant.address + path)
        file = str(self.folder / name)
        try:
            self.assistant.wait(f"the page {path} is complete", lambda: is_complete(self.browser))
        except TimeoutError:
            self.browser.save_screenshot(file.replace(".png", "-incomplete.png"))
            print(self.browser.current_url, self.browser.get_log("browser")[-5:])
            print("The log of Home Assistant:", self.assistant.log.read_text()[-20_000:])
            raise
        time.sleep(5)  # for the fade-in of the cards
        clip = {}
        if cards:
            edges = [card.rect for card in self.browser.execute_script(SEARCH, cards)]
            clip = {"clip": {"x": 0, "y": 0, "scale": 1,
                             "width": 16 + max(edge["x"] + edge["width"] for edge in edges),
                             "height": 16 + max(edge["y"] + edge["height"] for edge in edges)}}
        data = self.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", **clip})["data"]
        Path(file).write_bytes(base64.b64decode(data))
        print(file)


def has(elements, count):
    """Whether a page has as many elements whose names match."""
    return lambda browser: len(browser.execute_script(SEARCH, elements)) >= count


def shows_console(browser):
    """Whether the frame shows the console's tiles, after its connection to the broker."""
    browser.switch_to.default_content()
    if frames := browser.execute_script(SEARCH, FRAME):
        browser.switch_to.frame(frames[0])
        is_there = "connected" in browser.execute_script("return document.querySelector('#state')?.textContent ?? ''")
        browser.switch_to.default_content()
        return is_there
    return False


def start_console(assistant, programs, folder):
    """Starts the console, which may be in a frame of Home Assistant, and returns its process and its link."""
    folder.mkdir()
    file, log = folder / "console.yaml", folder / "log"
    file.write_text(json.dumps({
        "bridge": {"state_directory": str(folder)},
        "console": {"listen": CONSOLE, "frame_ancestors": [f"http://127.0.0.1:{PORT}"]}}))
    command = [f"{programs}/tactile-bridge-console", "--config", file, "--page", REPOSITORY / "console"]
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output)
    assistant.wait("the console is ready", lambda: "ready" in log.read_text())
    return process, subprocess.check_output([*command, "--link"], text=True, timeout=60).split()[0]


def set_up(assistant, hosts):
    """Joins the belt, and makes the tutorial's dashboard: what docs/guides/tutorial-home-assistant.md describes."""
    hosts.check("attic", "systemctl start mosquitto tactile-bridge")
    hosts.check("attic", "mosquitto_pub -t bridge/attic/request/permit_join -m 900")
    assistant.begin()
    assistant.add_mqtt("127.0.0.1", 1883)
    assistant.wait("the belt is online", lambda: assistant.states().get("sensor.belt_battery") == "90")
    assistant.make_button("Doorbell")
    dashboard = yaml.safe_load((REPOSITORY / "docs/examples/home-assistant/dashboard.yaml").read_text())
    assistant.save_dashboard("tactile-belt", dashboard)
    hosts.check("attic", "mosquitto_pub -t belt/mode/set -m app")
    assistant.wait("the mode is app", lambda: assistant.states()["sensor.belt_current_mode"] == "app")
    hosts.air.act("belt press home")


def main():
    root, programs, folder = sys.argv[1:]
    with (Patient(root) as assistant, tempfile.TemporaryDirectory(prefix="pictures-") as work,
          Hosts(["attic"], programs, HERE / "stage.yaml", work) as hosts):
        set_up(assistant, hosts)
        console, link = start_console(assistant, programs, Path(work) / "console")
        try:
            assistant.save_dashboard("tactile-bridge", {"title": "Tactile Bridge", "views": [
                {"type": "panel", "cards": [{"type": "iframe", "url": link}]}]})
            with Camera(assistant, folder) as camera:
                camera.take("home-assistant.png", "/tactile-belt/belt", has(DASHBOARD, 6), 760, 620)
                camera.take("home-assistant-device.png", f"/config/devices/device/{assistant.device(BELT)}",
                            has(DEVICE, 6), 1100, 2400, cards=DEVICE)
                hosts.check("attic", "mosquitto_pub -t belt/vibrate/set -m 90")
                camera.take("home-assistant-console.png", "/tactile-bridge/0", shows_console, 1100, 720)
        finally:
            console.kill()
            console.wait()


main()
