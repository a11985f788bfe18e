"""What the page takes while twenty TAPs stream all their sensors: the processor, long tasks, memory. How soon the packed
page shows sixty devices, on this machine and over slow 3G.

CONSOLE_LOAD_SECONDS says for how long the TAPs stream, 30 by default. The memory's limit is for ten minutes.
"""

import json
import os
import subprocess
import threading
import time
from pathlib import Path

from page import Page
from stage import ROOT, wait_for

COUNT, RATE = 20, 20  # TAPs, messages a second of each: the bridge publishes raw values at most this often
SECONDS = int(os.environ.get("CONSOLE_LOAD_SECONDS", 30))
LIMITS = {"processor": 0.2, "idle": 0.02, "task": 0.05, "memory": 150e6}  # of a core, of a core, s, bytes
DEVICES = 60
# Of the network: latency in ms and bits a second; in ms after the navigation: the first content, and all devices.
NETWORKS = {"loopback": (0, -1, 500, 2000), "slow 3G": (400, 400_000, 3000, 6000)}
# Notes when the page has drawn its first content, its first device, and all devices.
NOTE = """
window.shown = {};
const check = () => {
  const count = document.querySelectorAll("tb-devices article").length;
  shown.paint ??= performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
  if (count) shown.first ??= performance.now();
  if (count >= %d) shown.all ??= performance.now();
  if (!shown.all || !shown.paint) requestAnimationFrame(check);
};
requestAnimationFrame(check);"""
FINGERS = ["thumb", "index", "middle", "ring", "pinky"]
TICK = os.sysconf("SC_CLK_TCK")


class Load(Page):
    def test_live(self):
        """The view of all topics, with its log."""
        names = [f"load/{number:02}" for number in range(COUNT)]
        self.describe(names)
        end = threading.Event()
        sender = threading.Thread(target=self.send, args=(names, end))
        self.addCleanup(sender.join)
        self.addCleanup(end.set)
        self.show("live", ".tree details")
        wait_for("the devices", lambda: names[-1] in self.text("tb-live select"))
        self.run_script("""
            window.tasks = [];
            new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((e) => e.duration))).observe({type: "longtask"});""")
        sender.start()
        self.wait(5)
        self.run_script("window.tasks.length = 0")
        pid = self.renderer()
        start, begin = self.used(pid), time.monotonic()
        self.wait(SECONDS)
        share = (self.used(pid) - start) / (time.monotonic() - begin)
        longest = max(self.run_script("return window.tasks"), default=0) / 1000
        memory = self.memory(pid)
        wait_for("the log", lambda: f"{names[0]}/raw" in self.text("tb-live .log"))
        print(f"{COUNT} TAPs for {SECONDS} s: {share:.1%} of a core, longest task {longest * 1000:.0f} ms, {memory / 1e6:.0f} MB")
        self.assertLessEqual(share, LIMITS["processor"])
        self.assertLessEqual(longest, LIMITS["task"])
        self.assertLessEqual(memory, LIMITS["memory"])

    def test_idle_belt(self):
        """The view of the belt while nothing happens."""
        self.show("belt", ".ring")
        self.wait(3)
        pid = self.renderer()
        start, begin = self.used(pid), time.monotonic()
        self.wait(10)
        share = (self.used(pid) - start) / (time.monotonic() - begin)
        print(f"the view of the belt, idle: {share:.1%} of a core")
        self.assertLessEqual(share, LIMITS["idle"])

    def test_sixty(self):
        """The view of all devices, as the package contains it and without a cache."""
        names = [f"load/{number:02}" for number in range(DEVICES)]
        self.describe(names)
        folder = self.stage.folder / "page"
        subprocess.run([ROOT / "deploy/console-page", folder], check=True)
        link = self.stage.other_console("packed", page=folder)
        self.load(link)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE % DEVICES})
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
        for network, (latency, speed, first, all_) in NETWORKS.items():
            with self.subTest(network):
                self.driver.get("about:blank")
                rate = speed / 8 if speed > 0 else -1
                self.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
                    "offline": False, "latency": latency, "downloadThroughput": rate, "uploadThroughput": rate})
                self.driver.get(f"{link.split('#')[0]}#/devices")
                shown = wait_for("all devices", lambda: (
                    found := self.run_script("return window.shown")) and {"paint", "all"} <= set(found) and found, 60)
                memory = self.memory(self.renderer())
                print(f"{DEVICES} devices, {network}: first content after {shown['paint']:.0f} ms, first device "
                      f"{shown['first']:.0f} ms, all devices {shown['all']:.0f} ms, {memory / 1e6:.0f} MB")
                self.assertLessEqual(shown["paint"], first)
                self.assertLessEqual(shown["all"], all_)
                self.assertLessEqual(memory, LIMITS["memory"])

    def describe(self, names):
        """Publishes the TAPs as another bridge does, until the end of the test."""
        own = json.loads(self.stage.newest("tap/00be02/features").replace("tap/00be02/", "@/"))
        states = {
            "bridge/load/availability": "online",
            "bridge/load/devices": json.dumps([
                {"name": name, "family": "tap", "address": f"C0:FF:EE:00:CC:{place:02X}"} for place, name in enumerate(names)]),
        }
        for name in names:
            states[f"{name}/features"] = json.dumps(own).replace("@/", f"{name}/")
            states[f"{name}/availability"] = "online"
            states[f"{name}/connection"] = json.dumps({"state": "connected", "bridge": "load"})
        for topic, payload in states.items():
            self.stage.publish(topic, payload, True)
            self.addCleanup(self.stage.publish, topic, "", True)

    def send(self, names, end):
        """Raw values of all TAPs at the rate of a bridge, spread over time."""
        due, seq = time.monotonic(), 0
        while not end.is_set():
            seq += 1
            vector = {"x": seq % 997 / 10, "y": -seq % 991 / 10, "z": 981.5}
            unit = {"type": "imu", "timestamp_ms": seq * 50, "gyro": vector, "accelerometer": vector}
            fingers = {"type": "fingers", "timestamp_ms": seq * 50, **{name: vector for name in FINGERS}}
            for name in names:
                self.stage.client.publish(f"{name}/raw", json.dumps({"seq": seq, **(fingers if seq % 2 else unit)}))
                due += 1 / RATE / COUNT
                end.wait(max(0, due - time.monotonic()))

    def renderer(self):
        """The process of the page: the one with the most processor time."""
        children = {}
        for place in Path("/proc").glob("[0-9]*/stat"):
            try:
                pid, parent = int(place.parent.name), int(place.read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, ProcessLookupError):
                continue
            children.setdefault(parent, []).append(pid)
        found, wanted = [], [self.driver.service.process.pid]
        while wanted:
            pid = wanted.pop()
            wanted += children.get(pid, [])
            if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
        return max(found, key=self.used)

    def used(self, pid):
        """The processor time of a process in s."""
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def memory(self, pid):
        """What a process alone uses, in bytes: pages that it shares with others do not count."""
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))

