"""A host's cable is cut while a robot drives on it and a belt is led."""

import time

from brokers import Mosquittos
from machines import wait
from stage import Repeatedly, Stage

HOSTS = ["hall", "attic"]
DEVICES = {f"{kind}-{host}": (kind, host) for host in HOSTS for kind in ("tap", "belt", "robot")}
CUT = 60.0  # seconds
STANDS = 1.5  # the longest motion: 0.65 s of docs/architecture/safety.md, and the lease of 0.5 s


def cable(work, programs, options):
    """A host's cable is cut for 60 s while a robot drives on it and a belt is led"""
    with Stage(work, programs, HOSTS, DEVICES, Mosquittos, ["broker-a"]) as stage:
        stage.start()
        for host in HOSTS:
            stage.power_on(f"robot-{host}")
            answer = stage.watcher.ask(stage.operator, f"belt-{host}/mode/set", {"mode": "app"})
            assert answer["status"] == "ok", answer
            stage.operator.publish(f"belt-{host}/navigation/set", {"direction": 90, "state": "navigating"})
        watcher, taps = stage.watcher, {host: 0 for host in HOSTS}
        for host in HOSTS:
            watcher.expect(f"belt-{host}/navigation", lambda message: message.json.get("state") == "navigating")
        reports, before = len(stage.air.reports), stage.fresh(stage.brokers.nodes["broker-a"])

        def drive(_):
            for host in HOSTS:
                stage.driver.publish(f"robot-{host}/drive/set", {"x": 0.5, "y": 0.0, "duration_ms": 500}, qos=0)

        def tap(number):
            for host in HOSTS:
                taps[host] += 1
                stage.air.type(f"tap-{host} {number % 31 + 1}")

        with Repeatedly(5, tap), Repeatedly(10, drive):
            for host in HOSTS:
                stage.air.expect_wheels(f"robot-{host}", True, reports)
            seen = len(watcher.seen)
            stage.hosts["hall"].machine.set_cable(False)
            cut = time.monotonic()
            stands = stage.air.expect_wheels("robot-hall", False, reports) - cut
            offline = watcher.expect("bridge/hall/availability", lambda message: message.payload == "offline",
                                     CUT, seen).time - cut
            wait("the end of the cut", lambda: time.monotonic() > cut + CUT, CUT + 5)
            led = led_after(stage, "belt-hall", cut)
            stage.hosts["hall"].machine.set_cable(True)
            plugged = time.monotonic()
            back = watcher.expect("bridge/hall/availability", lambda message: message.payload == "online",
                                  60, len(watcher.seen) - 1).time - plugged
            wait("five seconds more of load", lambda: time.monotonic() > plugged + back + 5, 80)
        print(f"   the robot stood {stands:.2f} s after the cut; the bridge was 'offline' after {offline:.1f} s, "
              f"and back {back:.1f} s after the cable")
        assert stands < STANDS, stands
        assert back < 35, back

        moved = [moment - cut for moment, turning in stage.air.wheels("robot-hall", reports)
                 if turning and moment > cut + stands]
        assert not moved, f"robot-hall moved without power: {moved}"
        pauses = [moment for moment, turning in stage.air.wheels("robot-attic", reports)
                  if not turning and moment < plugged + back]
        assert not pauses, f"robot-attic stood: {[moment - cut for moment in pauses]}"
        print(f"   robot-attic drove on; belt-hall was written {led} times in the cut")

        for host in HOSTS:
            topic = f"tap-{host}/tapped"
            wait(f"every event of {topic}", lambda host=host, topic=topic: len(
                {message.json["seq"] for message in watcher.seen if message.topic == topic}) >= taps[host], 20)
            numbers = [message.json["seq"] for message in watcher.seen if message.topic == topic]
            twice = len(numbers) - len(set(numbers))
            first = list(dict.fromkeys(numbers))
            assert first == sorted(first) and len(first) == taps[host], f"{topic}: {taps[host]}, {numbers}"
            print(f"   {topic}: {len(first)} events of {taps[host]}, in order; {twice} came twice")
        after = stage.fresh(stage.brokers.nodes["broker-a"])
        assert after.keys() == before.keys(), f"topics: {sorted(after.keys() ^ before.keys())}"
        for host in HOSTS:
            for device in (f"tap-{host}", f"belt-{host}", f"robot-{host}"):
                assert after[f"{device}/availability"] == "online", device
        # Only a new power-on and a new drive move the robot.
        stage.power_on("robot-hall")
        since = len(stage.air.reports)
        stage.driver.publish("robot-hall/drive/set", {"x": 0.5, "y": 0.0, "duration_ms": 500}, qos=0)
        stage.air.expect_wheels("robot-hall", True, since)


def led_after(stage, belt, moment):
    """The number of writes to a belt after a moment, which show that its connection works."""
    return sum(1 for time_, report in stage.air.reports if time_ > moment and report.get("device") == belt
               and report.get("event") == "write")
