"""Hosts are upgraded one at a time."""

import time

from brokers import Mosquittos
from machines import wait
from stage import Stage

HOSTS = ["hall", "attic", "cellar"]
# Each host has its own devices, and the belt in the middle is in range of all three.
DEVICES = {f"{kind}-{host}": (kind, host) for host in HOSTS for kind in ("tap", "belt", "robot")} | {
    "belt-between": ("belt", None)}
OLD, NEW = "/opt/old/tactile-bridge", "/opt/new/tactile-bridge"
AWAY = 10.0  # the longest absence of a device whose host is upgraded
HAND_OVER = 3.0  # the longest absence of a device that is also in range of another host
QUIET = 8.0  # seconds without conflicts


def upgrade(work, programs, options):
    """Three hosts go from an earlier build to this program one at a time, and one goes back"""
    from scenes import Lacking
    if not options["--old"]:
        raise Lacking("no --old FOLDER with tactile-bridge of an earlier build")
    with Stage(work, programs, HOSTS, DEVICES, Mosquittos, ["broker-a"], old=options["--old"]) as stage:
        for host in stage.hosts.values():
            host.start(OLD)
        stage.expect_devices()
        expect_peace(stage, "all of them old")
        for step, (name, program) in enumerate([*((host, NEW) for host in HOSTS), ("attic", OLD), ("attic", NEW)]):
            replace(stage, name, program)
        kept = stage.fresh(stage.brokers.nodes["broker-a"])
        wrong = {topic: payload for topic, payload in kept.items()
                 if topic.endswith("/availability") and payload != "online"}
        assert not wrong, wrong


def replace(stage, name, program):
    """Stops a host's bridge, starts the other program, and measures how long each device was absent."""
    watcher, host = stage.watcher, stage.hosts[name]
    since, begun = len(watcher.seen), time.monotonic()
    version = "old" if program == OLD else "new"
    had_between = holder(watcher, "belt-between") == name
    host.stop()
    host.start(program)
    for device, it in stage.devices.items():
        if it["host"] == name:
            watcher.expect(f"{device}/connection", lambda message: message.json.get("bridge") == name
                           and message.json.get("state") == "connected" and not message.is_retained
                           and message.time > begun, 60, since)
            watcher.expect(f"{device}/availability", lambda message: message.payload == "online", 60, since)
    back = time.monotonic() - begun
    # It is connected again, on any host.
    wait("the belt between the hosts", lambda: is_connected(watcher, "belt-between"), 30)
    away = time_away(watcher, "belt-between", since, begun)
    expect_peace(stage, f"{name} {version}")
    for other in HOSTS:
        if other != name:
            for kind in ("tap", "belt", "robot"):
                said = [message.payload for message in watcher.seen[since:]
                        if message.topic == f"{kind}-{other}/availability"]
                assert "offline" not in said, f"{kind}-{other} was taken offline by the upgrade of {name}: {said}"
    print(f"   {name} {version}: its own devices back after {back:.1f} s; the belt between the hosts "
          f"{'was its own and was' if had_between else 'was'} away for {away:.2f} s, now at "
          f"{holder(watcher, 'belt-between')}")
    assert back < AWAY, back
    assert away < HAND_OVER, away


def holder(watcher, device):
    return watcher.newest(f"{device}/connection").json.get("bridge")


def is_connected(watcher, device):
    return watcher.newest(f"{device}/connection").json.get("state") == "connected"


def time_away(watcher, device, since, begun):
    """How long a device's topic reported that it is not connected."""
    lost, away = None, 0.0
    for message in watcher.seen[since:]:
        if message.topic == f"{device}/connection" and message.time > begun:
            if message.json.get("state") != "connected":
                lost = lost or message.time
            elif lost:
                away, lost = away + message.time - lost, None
    return away + (time.monotonic() - lost if lost else 0)


def expect_peace(stage, what):
    """For a while no bridge takes a device from another: no connection is made or lost, and no claims conflict."""
    reports, since, begun = len(stage.air.reports), len(stage.watcher.seen), time.monotonic()
    wait("peace", lambda: time.monotonic() > begun + QUIET, QUIET + 2)
    links = [report for _, report in stage.air.reports[reports:] if report.get("event") == "link"]
    assert not links, f"{what}: links: {links}"
    claims = [(message.topic, message.json.get("bridge"), message.json.get("state"))
              for message in stage.watcher.seen[since:] if message.topic.endswith("/connection")]
    fights = [claim for claim in claims if claim[2] != "connected"]
    assert not fights, f"{what}: {fights}"
