"""nginx as a test's web server."""

import shutil
import socket

from stage import wait_for


def serve(test, servers):
    """Starts nginx with server blocks by port, until the test ends."""
    folder = test.stage.folder / "nginx"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    paths = "".join(f"{name}_temp_path {folder}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
    blocks = []
    for port, content in servers.items():
        (folder / f"{port}.conf").write_text(content)
        blocks.append(f"server {{ listen 127.0.0.1:{port}; include {folder}/{port}.conf; }}")
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr; events {{}} "
        f"http {{ access_log off; {paths} {' '.join(blocks)} }}")
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    nginx = test.stage.run("nginx", program, "-p", folder, "-c", folder / "nginx.conf", "-e", "stderr")
    test.addCleanup(nginx.wait, 10)
    test.addCleanup(nginx.terminate)

    def listens():
        for port in servers:
            with socket.socket() as found:
                if found.connect_ex(("127.0.0.1", port)) != 0:
                    return False
        return True
    wait_for("nginx", listens)
