"""A broker, a bus and the bridge, each as its own process."""
import asyncio
import json
import os
import socket
import sys
import tempfile
import time
from pathlib import Path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Bridge:
    """A broker, a bus, and the bridge with a configuration. `messages` are the pairs of a topic and a payload."""

    def __init__(self, programs, configuration="", log_level="debug"):
        self.programs, self.configuration, self.log_level = programs, configuration, log_level
        self.messages, self.processes = [], []
        self.folder = tempfile.TemporaryDirectory()
        self.bus, self.port = f"unix:path={self.folder.name}/bus", free_port()

    async def start(self, *command, **options):
        process = await asyncio.create_subprocess_exec(*map(str, command), **options)
        self.processes.append(process)
        return process

    async def __aenter__(self):
        place = Path(self.folder.name)
        (place / "bridge.yaml").write_text(self.configuration)
        (place / "broker.conf").write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n")
        quiet = {"stdout": asyncio.subprocess.DEVNULL, "stderr": asyncio.subprocess.DEVNULL}
        await self.start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={self.bus}", **quiet)
        await self.start("mosquitto", "-c", place / "broker.conf", **quiet)
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            await asyncio.sleep(0.02)
        watcher = await self.start("mosquitto_sub", "-p", self.port, "-t", "#", "-F", "%t %p",
                                   stdout=asyncio.subprocess.PIPE)
        self.reader = asyncio.create_task(self.read(watcher.stdout))
        environment = os.environ | {
            "TACTILE_BRIDGE_BLUETOOTH_BUS": self.bus, "TACTILE_BRIDGE_BRIDGE_ID": "test",
            "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": str(self.port),
            "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": f"{place}/state"}
        self.log = (place / "log").open("w+")
        self.process = await self.start(
            f"{self.programs}/tactile-bridge", "run", "--config", place / "bridge.yaml", "--log-level", self.log_level,
            env=environment, stdout=self.log, stderr=self.log)
        return self

    async def __aexit__(self, kind, *_):
        for process in reversed(self.processes):
            if process.returncode is None:
                process.terminate()
            await process.wait()
        if kind:
            self.log.seek(0)
            print("".join(self.log.readlines()[-40:]), file=sys.stderr)
        self.log.close()
        self.reader.cancel()
        self.folder.cleanup()

    async def read(self, stream):
        while line := await stream.readline():
            topic, _, payload = line.decode().strip().partition(" ")
            self.messages.append((topic, payload))

    async def ask(self, topic):
        """Sends a command, and returns its answer."""
        asking = await asyncio.create_subprocess_exec(
            "mosquitto_rr", "-V", "5", "-W", "10", "-p", str(self.port), "-t", topic, "-e",
            f"answer/{time.monotonic_ns()}", "-m", "{}", stdout=asyncio.subprocess.PIPE)
        return json.loads((await asking.communicate())[0])
