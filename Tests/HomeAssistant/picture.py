"""Takes pictures of the tutorial's dashboard and of the belt's page in Chromium, which deploy/needs console installs."""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / ".build/python-console"))

from selenium import webdriver  # noqa: E402

# The cards are in nested shadow roots.
SEARCH = """
const seek = (root) => [...root.querySelectorAll('*')].flatMap((element) =>
    [element.localName, ...(element.shadowRoot ? seek(element.shadowRoot) : [])]);
return seek(document).filter((name) => name.match(arguments[0])).length;
"""


def take(assistant, file, device):
    """Takes the picture `file` of the dashboard, and another of the page of the device: `NAME-device.png`."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--window-size=760,620", "--force-device-scale-factor=1"):
        options.add_argument(option)
    browser = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        browser.get(assistant.address + "/manifest.json")
        tokens = {**assistant.tokens, "hassUrl": assistant.address, "clientId": assistant.address + "/",
                  "expires": int((time.time() + 1800) * 1000)}
        browser.execute_script("localStorage.setItem('hassTokens', arguments[0])", json.dumps(tokens))
        browser.execute_script("localStorage.setItem('dockedSidebar', '\"always_hidden\"')")
        for path, part, count, height, to in (
                ("/tactile-belt/belt", "^hui-.*-card$", 6, 620, file),
                (f"/config/devices/device/{assistant.device(device)}", "^ha-device-entities-card$", 3, 1500,
                 str(Path(file).with_suffix("")) + "-device.png")):
            browser.set_window_size(760 if part.startswith("^hui") else 1100, height)
            browser.get(assistant.address + path)
            try:
                assistant.wait("the cards", lambda: browser.execute_script(SEARCH, part) >= count, seconds=180)
            except TimeoutError:
                browser.save_screenshot(to)
                print(browser.current_url, browser.get_log("browser")[-5:])
                raise
            time.sleep(3)  # for the fade-in of the cards
            browser.save_screenshot(to)
    finally:
        browser.quit()
