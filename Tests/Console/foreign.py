"""Another site's page in a logged-in user's browser, and devices whose names contain markup."""

import http.server
import json
import threading

from selenium.webdriver.common.by import By

from page import VIEWS, Page
from stage import browser, wait_for

HOSTILE = '<img src=x onerror="document.title=1">'
# Names that families define: the name of a belt.
NAME = f"belt/{HOSTILE}"
EVIL = """<!doctype html><title>evil</title><script>
const console_ = "http://CONSOLE";
const said = window.said = {};
fetch(console_ + "/api/stop", {method: "POST", credentials: "include", body: ""}).then(
  (r) => { said.post = r.status; }, () => { said.post = "refused"; });
fetch(console_ + "/api/session", {credentials: "include"}).then(
  (r) => r.text().then((text) => { said.get = text; }), () => { said.get = "refused"; });
const socket = new WebSocket("ws://CONSOLE/socket");
socket.onopen = () => { said.socket = "open"; socket.send('{"type":"stop"}'); };
socket.onerror = () => { said.socket ??= "refused"; };
</script><iframe id="frame" src="http://CONSOLE/"></iframe>
<form id="form" method="post" enctype="text/plain" action="http://CONSOLE/api/stop"><input name='{"a":"' value='"}'></form>
"""


class Foreign(Page):
    def setUp(self):
        super().setUp()
        page = EVIL.replace("CONSOLE", self.stage.address("")[7:-1]).encode()

        class Site(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        # The same host with another port is another origin, to which the browser does send the console's cookie.
        self.evil = f"http://127.0.0.1:{server.server_port}/"

    def test_foreign_page(self):
        """The console rejects the other site's POST, form and WebSocket, and the site can read nothing."""
        before = len(self.stage.of("all/stop/set"))
        self.driver.get(self.evil)
        said = wait_for("what it was told", lambda: self.run_script(
            "return Object.keys(window.said).length === 3 ? window.said : null"))
        self.assertEqual(said, {"post": "refused", "get": "refused", "socket": "refused"})
        self.run_script("document.getElementById('form').submit()")
        wait_for("the form's answer", lambda: "another page than the console's" in self.text("body"))
        # The console's own page may send a stop, which shows that the test would have detected one.
        self.driver.get(self.stage.address(""))
        self.find("#stop-all").click()
        wait_for("a stop", lambda: len(self.stage.of("all/stop/set")) > before, 3)
        self.assertLessEqual(len(self.stage.of("all/stop/set")) - before, 2, "the socket's and the request's of the console")

    def test_foreign_frame(self):
        """The other site cannot show the console in a frame."""
        self.driver.get(self.evil)
        self.driver.switch_to.frame(self.find("#frame"))
        wait_for("the frame", lambda: self.run_script("return document.readyState") == "complete")
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#stop-all, #header"), [])
        self.driver.switch_to.default_content()
        refused = [line for line in self.complaints() if "frame" in line.lower()]
        self.assertTrue(refused, "the browser says that it refuses the frame")

    def test_rebound_host(self):
        """A host name that was changed to point to the console is rejected."""
        other = browser(1280, 900, False, "en", "--host-resolver-rules=MAP evil.test 127.0.0.1")
        self.addCleanup(other.quit)
        other.get(self.stage.address("", "evil.test"))
        self.assertIn("the host is not allowed", other.page_source)

    def test_names_are_text(self):
        """A device, a group, a pattern and a message named <img onerror> are shown with these names as text."""
        said = {
            "bridge/other/devices": [{"name": NAME, "family": HOSTILE, "address": HOSTILE}],
            f"{NAME}/info": {"model": HOSTILE},
            f"{NAME}/connection": {"state": "error", "reason": HOSTILE, "advice": HOSTILE, "bridge": "other"},
            f"{NAME}/features": {HOSTILE: {"kind": "command", "summary": HOSTILE, "set": {"topic": f"{NAME}/x/set"}},
                                    "drive": {"set": {"topic": "x"}}, "vibration": {}, "tapped": {}, "haptic": {"set": {"topic": "x"}}},
            "bridge/other/groups": [{"group": HOSTILE, "members": [NAME]}],
            "bridge/other/patterns": [HOSTILE],
            "bridge/other/info": {"version": HOSTILE, "host": HOSTILE},
            "bridge/other/availability": "online",
        }
        for topic, value in said.items():
            self.stage.publish(topic, value if isinstance(value, str) else json.dumps(value), True)
            self.addCleanup(self.stage.publish, topic, "", True)
        for view in VIEWS:
            self.show(view, "h1")
            wait_for(f"the name in {view}", lambda: HOSTILE in self.text("main"))
            self.wait(0.3)
            self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "main img, [onerror]"), [], view)
            self.assertIn("Tactile Bridge", self.driver.title)
        self.assertEqual([line for line in self.complaints() if "Content Security" in line], [])
