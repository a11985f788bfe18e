"""A person carries belts past three hosts; the belts advertise while they are connected."""

import math
import time

from brokers import Mosquittos
from machines import wait
from stage import Stage

HOSTS = ["hall", "attic", "cellar"]
DEVICES = {"belt-a": ("belt", None), "belt-b": ("belt", None)}
DISTANCE, PACE, STAY = 12.0, 1.4, 20.0  # meters between two hosts, meters a second, seconds at each host
WEAKEST = -92  # dBm
PAUSE = 12.0  # seconds after each series of events, in which the belt may move


class Walk(Stage):
    def configuration(self, name, nodes, old):
        return super().configuration(name, nodes, old).replace(
            "join: configured", "join: configured, moves_per_hour: 60")

    def scenario(self):
        return super().scenario().replace("kind:", "centrals: 2, kind:")


def strength(position, host):
    """The signal strength at a distance from a host in dBm, in the form of the simulator."""
    level = round(-50 - 35 * math.log10(max(1, abs(position - DISTANCE * HOSTS.index(host)))))
    return level if level >= WEAKEST else "off"


def walk(work, programs, options):
    """Two belts are carried past three hosts for two minutes"""
    carry(work, programs, 120)


def walk_long(work, programs, options):
    """Two belts are carried past three hosts for ten minutes"""
    carry(work, programs, 600)


def carry(work, programs, seconds):
    with Walk(work, programs, HOSTS, DEVICES, Mosquittos, ["broker-a"]) as stage:
        place(stage, 0)
        stage.start()
        watcher, begun, pressed = stage.watcher, time.monotonic(), []
        since, leg = len(watcher.seen), 0
        while time.monotonic() < begun + seconds:
            # There and back: hall, attic, cellar, attic.
            start, end = ([0, 1, 2, 1] * 2)[leg % 4:][:2]
            leg += 1
            for step in range(math.ceil(DISTANCE / PACE)):
                place(stage, DISTANCE * (start + (end - start) * (step + 1) / math.ceil(DISTANCE / PACE)))
                pause(1)
            arrival = time.monotonic()
            while time.monotonic() < arrival + STAY:
                # Without a host, the belt cannot report a press.
                wait("a host of the belt", lambda: watcher.newest(claim(stage, "belt-a")).json["state"] == "linked", 10)
                for _ in range(5):
                    pressed.append(time.monotonic())
                    stage.air.type("belt-a press home")
                    pause(0.2)
                pause(PAUSE)
        check(stage, since, pressed)


def place(stage, position):
    levels = " ".join(f"{host} {strength(position, host)}" for host in HOSTS)
    for device in DEVICES:
        stage.air.type(f"move {device} {levels}")


def claim(stage, device):
    return f"claim/{stage.devices[device]['address'].replace(':', '').lower()}"


def pause(seconds):
    end = time.monotonic() + seconds
    wait("the walk", lambda: time.monotonic() >= end, seconds + 5)


def check(stage, since, pressed):
    watcher, away = stage.watcher, {}
    for device, it in stage.devices.items():
        gaps, ended = away.setdefault(device, []), None
        for message in watcher.seen[since:]:
            if message.topic == f"{device}/availability":
                assert message.payload == "online", f"{device} was {message.payload}"
            if message.topic != claim(stage, device):
                continue
            if message.json["state"] == "released":
                ended = ended or message.time
            elif ended and message.json["state"] == "linked":
                gaps.append((ended, message.time))
                ended = None
        assert gaps, f"{device} did not move"
        offers = sum(message.topic.endswith("/offer") and message.json.get("address") == it["address"]
                     for message in watcher.seen[since:])
        claims = sum(message.topic == claim(stage, device) for message in watcher.seen[since:])
        print(f"   {device}: {len(gaps)} moves, {max(end - start for start, end in gaps):.2f} s without a host at most, "
              f"never offline; {offers} offers, {claims} claims")
    # A move that has begun is not stopped by a press.
    missed = [moment for moment in pressed if any(start - 0.5 < moment < end + 0.5 for start, end in away["belt-a"])]

    def events():
        return sum(message.topic == "belt-a/button" for message in watcher.seen[since:])

    wait("every event of the belt", lambda: events() >= len(pressed) - len(missed), 10)
    assert events() <= len(pressed), f"{events()} events, {len(pressed)} presses"
    print(f"   {len(pressed)} presses, {len(missed)} of them during a move: {events()} events")
