"""The page behind nginx, under a path, with the file in docs/examples."""

from nginx import serve
from page import VIEWS, Page
from stage import ROOT, free_port, wait_for


class Proxied(Page):
    def setUp(self):
        port = free_port()
        example = (ROOT / "docs/examples/console-nginx.conf").read_text().replace("127.0.0.1:9480", self.stage.web)
        serve(self, {port: example})
        self.address = f"http://127.0.0.1:{port}/console"
        self.prepare(f"{self.address}/#{self.stage.link.split('#')[1]}")

    def test_under_a_path(self):
        """Every view loads, connects and stops; no request goes outside the path."""
        wait_for("the connection", lambda: self.text("#state") == "connected")
        for view in VIEWS:
            self.show(view, "h1")
        self.choose("#header select", "de")
        wait_for("German", lambda: self.text("#state") == "verbunden")
        before = len(self.stage.of("all/stop/set"))
        self.find("#stop-all").click()
        # Over the socket, and as a separate request.
        wait_for("both stops", lambda: len(self.stage.of("all/stop/set")) >= before + 2, 3)
        def asked():
            return self.run_script("return performance.getEntriesByType('resource').map((e) => e.name)")
        # The browser lists the request when its answer has arrived.
        wait_for("the request", lambda: any(name.endswith("api/stop") for name in asked()), 5)
        self.assertEqual([name for name in asked() if not name.startswith(f"{self.address}/")], [])
        self.assertEqual(self.complaints(), [])
        # Without the trailing slash the page is the same.
        self.driver.get(self.address)
        wait_for("the connection", lambda: self.text("#state") == "verbunden")
