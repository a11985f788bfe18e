"""A wire between the browser and the console that can be interrupted for a while, like a network."""

import socket
import threading
import time


class Wire:
    """Forwards connections. `requests` has the time and the text of each request that is not a WebSocket."""

    def __init__(self, port):
        self.target = port
        self.requests = []
        self.flows = threading.Event()
        self.flows.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sockets = [self.listener]
        threading.Thread(target=self.accept, daemon=True).start()

    def hold(self):
        """From now on nothing passes through the pages' sockets in either direction; nothing is lost."""
        self.flows.clear()

    def let_go(self):
        """Delivers everything that waited at once."""
        self.flows.set()

    def end(self):
        self.flows.set()
        for end in self.sockets:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass # closed already
            end.close()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        try:
            far = socket.create_connection(("127.0.0.1", self.target))
            first = near.recv(65536)
        except OSError:
            return near.close()
        self.sockets += [near, far]
        for end in (near, far):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        is_socket = first.startswith(b"GET /socket")
        if not is_socket:
            self.requests.append((time.monotonic(), first.decode(errors="replace")))
        back = threading.Thread(target=self.pass_on, args=(far, near, is_socket), daemon=True)
        back.start()
        self.pass_on(near, far, is_socket, first)

    def pass_on(self, source, sink, is_socket, data=b""):
        try:
            while True:
                if is_socket:
                    self.flows.wait()
                if data:
                    sink.sendall(data)
                data = source.recv(65536)
                if not data:
                    break
        except OSError:
            pass # one of the ends is closed
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass # it was closed already
