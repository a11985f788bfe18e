"""The page behind nginx, under a path, with the file in docs/examples."""

import shutil
import socket

from page import VIEWS, Page
from stage import ROOT, free_port, wait_for


class Proxied(Page):
    def setUp(self):
        folder, port = self.stage.folder / "nginx", free_port()
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        example = (ROOT / "docs/examples/console-nginx.conf").read_text().replace("127.0.0.1:9480", self.stage.web)
        (folder / "console.conf").write_text(example)
        paths = "".join(f"{name}_temp_path {folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {paths}"
            f"server {{ listen 127.0.0.1:{port}; include {folder}/console.conf; }} }}")
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        nginx = self.stage.run("nginx", program, "-p", folder, "-c", folder / "nginx.conf", "-e", "stderr")
        self.addCleanup(nginx.wait, 10)
        self.addCleanup(nginx.terminate)

        def listens():
            with socket.socket() as found:
                return found.connect_ex(("127.0.0.1", port)) == 0
        wait_for("nginx", listens)
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
