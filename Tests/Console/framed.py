"""The page in a frame, as Home Assistant's ingress shows it: behind a proxy that adds a path, in a page of the same origin."""

from nginx import serve
from page import Page
from stage import free_port, wait_for

PATH = "/api/hassio_ingress/secret"
# What ingress adds to a request, and the page that contains the frame.
SITE = """
location %(path)s/ {
    proxy_pass http://%(console)s/;
    proxy_http_version 1.1;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $http_connection;
    proxy_set_header Host $http_host;
    proxy_set_header X-Ingress-Path %(path)s;
    proxy_set_header X-Forwarded-For $remote_addr;
}
location = /panel { default_type text/html; return 200 '%(panel)s'; }
location = /favicon.ico { return 204; }
"""
PANEL = '<iframe style="width:1100px;height:800px" src="%s"></iframe>'


class Framed(Page):
    def setUp(self):
        (own, other), token = (free_port(), free_port()), self.stage.link.split("#")[1]
        self.address, self.other = f"http://127.0.0.1:{own}", f"http://127.0.0.1:{other}"
        panel = PANEL % f"{self.address}{PATH}/#{token}"
        site = {"path": PATH, "console": self.stage.web, "panel": panel}
        serve(self, {own: SITE % site, other: "location = /panel { default_type text/html; return 200 '%s'; }" % panel})
        self.prepare(f"{self.address}/panel")

    def load(self, link):
        self.driver.get(link)
        self.driver.switch_to.frame(self.find("iframe"))

    def test_in_a_frame_of_its_own_origin(self):
        """The page loads, connects its socket, shows values and stops, all below the proxy's path."""
        self.find("nav a")
        wait_for("the connection", lambda: self.text("#state") == "connected")
        self.show("devices", "h1")
        before = len(self.stage.of("all/stop/set"))
        self.find("#stop-all").click()
        wait_for("both stops", lambda: len(self.stage.of("all/stop/set")) >= before + 2, 3)
        names = self.run_script("return performance.getEntriesByType('resource').map((e) => e.name)")
        self.assertTrue(names)
        self.assertEqual([name for name in names if not name.startswith(f"{self.address}{PATH}/")], [])
        self.assertEqual(self.complaints(), [])

    def test_in_a_frame_of_another_origin(self):
        """The browser refuses the frame: another page could place the stick under its own buttons."""
        self.driver.switch_to.default_content()
        self.load(f"{self.other}/panel")
        def refusal():
            return [entry["message"] for entry in self.driver.get_log("browser") if "frame-ancestors" in entry["message"]]
        self.assertIn("'self'", wait_for("the refusal", refusal)[0])
        self.assertEqual(self.driver.find_elements("css selector", "nav a"), [])
