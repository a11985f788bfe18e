"""All bridges restart at once."""

import signal
import time

from brokers import Mosquittos
from machines import wait
from stage import Stage

HOSTS = [f"host-{number}" for number in range(10)]
KINDS = ("belt", "tap", "robot")
# Every second device is in range of all hosts.
DEVICES = {f"{kind}-{number}": (kind, HOSTS[number] if (number + place) % 2 else None)
           for number in range(len(HOSTS)) for place, kind in enumerate(KINDS)}
BACK = 15.0  # seconds


def restart(work, programs, options):
    """Ten bridges with thirty devices restart at once, by SIGTERM and by kill -9; half of the devices are heard by all"""
    with Stage(work, programs, HOSTS, DEVICES, Mosquittos, ["broker-a"]) as stage:
        print(f"   first start: all devices online after {stage.start():.1f} s")
        settle(stage)
        kept = set(stage.fresh(stage.brokers.nodes["broker-a"]))
        for how in (signal.SIGTERM, signal.SIGKILL):
            since, begun = len(stage.watcher.seen), time.monotonic()
            for host in stage.hosts.values():
                host.bridge.send_signal(how)
            for host in stage.hosts.values():
                host.bridge.wait(20)
            for host in stage.hosts.values():
                host.start()
            down = time.monotonic()
            for name in HOSTS:
                stage.watcher.expect(f"bridge/{name}/availability", lambda message: message.payload == "online"
                                     and message.time > begun and not message.is_retained, 30, since)
            times = sorted(stage.watcher.expect(
                f"{name}/connection", lambda message: message.json.get("state") == "connected"
                and message.time > down, 60, since).time - down for name in DEVICES)
            settle(stage)
            # The last message on a device's topic equals the radio simulator's state, and nothing of other bridges is
            # left.
            holders = stage.air.holders()
            final = {name: stage.watcher.newest(f"{name}/connection").json for name in DEVICES}
            wrong = {name: (it.get("bridge"), it.get("state"), holders.get(name)) for name, it in final.items()
                     if (it.get("bridge"), it.get("state")) != (holders.get(name), "connected")}
            assert not wrong, wrong
            now = set(stage.fresh(stage.brokers.nodes["broker-a"]))
            assert now == kept, f"retained topics: {sorted(now ^ kept)}"
            said = sum(1 for message in stage.watcher.seen[since:] if message.topic.endswith("/connection"))
            print(f"   {how.name} to all, and started: devices back p50 {times[len(times) // 2]:.1f} s, all "
                  f"{times[-1]:.1f} s; one speaker each; {said} messages on connection")
            if times[-1] > 10: print(history(stage, begun))
            assert times[-1] < BACK, history(stage, begun)


def history(stage, begun):
    """The messages about the device that came last, and the events of its connection."""
    last = max(DEVICES, key=lambda name: next(
        message.time for message in stage.watcher.seen if message.topic == f"{name}/connection"
        and message.json.get("state") == "connected" and message.time > begun))
    said = [(message.time, f"{message.json.get('bridge')} {message.json.get('state')} {message.json.get('reason_code')}")
            for message in stage.watcher.seen if message.topic == f"{last}/connection" and message.time > begun]
    links = [(moment, f"air: {report['host']} {'linked' if report['connected'] else 'lost'}")
             for moment, report in stage.air.reports if report.get("event") == "link" and report["device"] == last
             and moment > begun]
    return f"{last} was the last one:" + "".join(
        f"\n      {moment - begun:5.1f} {what}" for moment, what in sorted(said + links))


def settle(stage):
    """Waits for three seconds without a new or lost connection and without a claim."""
    def newest():
        return [moment for moment, report in stage.air.reports if report.get("event") == "link"][-1:] \
            + [message.time for message in stage.watcher.seen if message.topic.endswith("/connection")][-1:]
    wait("rest", lambda: all(time.monotonic() - moment > 3 for moment in newest()), 60, 0.1)
