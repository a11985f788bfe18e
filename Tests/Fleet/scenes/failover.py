"""A node of the broker dies under load."""

import datetime
import subprocess
import time
from pathlib import Path

from brokers import Ejabberds, Mosquittos
from client import Client
from machines import Missing, wait
from stage import Repeatedly, Stage

HOSTS = ["hall", "attic", "cellar"]
DEVICES = {f"{kind}-{host}": (kind, host) for host in HOSTS for kind in ("tap", "belt", "robot")}
TAPS, COMMANDS, DRIVES = 20, 5, 10  # a second, for each device
BACK = 2.0  # the longest absence of a bridge, in seconds


def pair(work, programs, options):
    """Two mirrored Mosquittos: each is killed in turn under load"""
    with Stage(work, programs, HOSTS, DEVICES, Mosquittos, ["broker-a", "broker-b"]) as stage:
        stage.start()
        for victim in ("broker-a", "broker-b"):
            fail_over(stage, victim)
            check_retained(stage, stage.brokers.names)
        check_access(stage)


def ejabberd(work, programs, options):
    """Three nodes of ejabberd: each is killed in turn under load"""
    from scenes import Lacking
    place = subprocess.run([Path(__file__).parents[1] / "ejabberd-system"], stdout=subprocess.PIPE, text=True)
    if place.returncode:
        raise Lacking("there is no system with ejabberd")
    system = place.stdout.strip()

    def brokers(network, names):
        return Ejabberds(network, names, system)

    with Stage(work, programs, HOSTS, DEVICES, brokers, ["broker-1", "broker-2", "broker-3"], one_order=True) as stage:
        stage.start()
        for victim in stage.brokers.names:
            fail_over(stage, victim)
            # A node retains only the topics that were published on it, and those from before its start.
            check_retained(stage, {victim, at_node(stage, "hall")})
        check_access(stage)


def fail_over(stage, victim):
    names = stage.brokers.names
    other = stage.watchers[names[(names.index(victim) + 1) % len(names)]]
    # The bridges that prefer this node are connected to it, or return to it.
    at = {host: at_node(stage, host) for host in HOSTS}
    for host in HOSTS:
        stage.power_on(f"robot-{host}", other)
    reports = len(stage.air.reports)
    asked, taps = [], 0

    def command(number):
        for host in HOSTS:
            identifier = f"{victim}-{host}-{number}"
            asked.append((time.monotonic(), f"belt-{host}", identifier))
            stage.operator.publish(f"belt-{host}/intensity/set", {
                "intensity": 20 + number % 50, "feedback": False, "id": identifier})

    def tap(number):
        nonlocal taps
        taps += 1
        for host in HOSTS:
            stage.air.type(f"tap-{host} {number % 31 + 1}")

    def drive(_):
        for host in HOSTS:
            stage.driver.publish(f"robot-{host}/drive/set", {"x": 0.5, "y": 0.0, "duration_ms": 500}, qos=0)

    stopper, seen = stage.operator, len(other.seen)
    was_there = stopper.at == stage.brokers.nodes[victim].address
    # The client treats a connection that breaks within five seconds as bad, and delays the next one.
    begun = time.monotonic()
    wait("five seconds of the connections", lambda: time.monotonic() > begun + 5, 7)
    with Repeatedly(TAPS, tap), Repeatedly(COMMANDS, command):
        with Repeatedly(DRIVES, drive):
            for host in HOSTS:
                stage.air.expect_wheels(f"robot-{host}", True, reports)
                # Under load: one second of it.
                other.expect(f"tap-{host}/tapped", lambda _: taps > TAPS, 5, seen)
            death, clock = time.monotonic(), datetime.datetime.now(datetime.UTC)
            stage.brokers.kill(victim)
            # A client of the killed node detects the end of its connection and uses the next node. A stop that arrives
            # before a bridge has reconnected to the same node reaches no bridge, so it is repeated until it is
            # answered. Messages without an acknowledgment are sent again automatically.
            stopper.publish("all/stop/set", "")
            with Repeatedly(4, lambda number: stopper.publish("robot-hall/emergency_stop/set", "")):
                latched = other.expect("robot-hall/status", lambda message: message.time > death
                                       and message.json.get("emergency_stop") is True, 10, seen)
            back = {host: expect_back(other, host, death, seen) for host in HOSTS}
            stopped = {host: stage.air.expect_wheels(f"robot-{host}", False, index_after(stage, death))
                       for host in HOSTS}
        time_of_load = time.monotonic() + 2
        wait("two seconds more of load", lambda: time.monotonic() > time_of_load)
    moved = [(host, moment - death) for host in HOSTS for moment, turning in stage.air.wheels(f"robot-{host}", reports)
             if turning and moment > stopped[host]]
    for host, seconds in back.items():
        print(f"   {victim} killed, bridge {host} at {at[host]}: back after {seconds:.2f} s; "
              f"its robot stood after {stopped[host] - death:.2f} s")
    print(f"   emergency stop of a client that was at {'the node that died' if was_there else 'another node'}: "
          f"latched after {latched.time - death:.2f} s")
    assert not moved, f"moved again without power: {moved}"
    late = [host for host, seconds in back.items() if seconds >= BACK]
    assert not late, f"killed at {clock:%H:%M:%S.%f}, not back within {BACK} s, by the log of {late[0]}:\n" + "\n".join(
        [line for line in stage.hosts[late[0]].log().splitlines() if "command failed" not in line][-8:])
    check_events(other, seen, taps)
    check_answers(other, seen, asked)
    stage.brokers.start(victim)
    stage.brokers.wait_for(victim)


def index_after(stage, moment):
    return next((index for index, (time_, _) in enumerate(stage.air.reports) if time_ > moment),
                len(stage.air.reports))


def at_node(stage, host):
    """The node to which a bridge is connected."""
    def node():
        lines = stage.hosts[host].machine.run("ss -Htn state established '( dport = :1883 )'").split()
        return next((name for name, it in stage.brokers.nodes.items() if f"{it.address}:1883" in lines), None)

    return wait(f"the connection of {host}", node)


def expect_back(watcher, host, death, since):
    """Waits until the remaining node receives a bridge's message about an event after the other node was killed."""
    return watcher.expect(f"tap-{host}/tapped", lambda message: message.time > death + 0.05, 15, since).time - death


def check_events(watcher, since, count):
    """Requires every tap, in order; prints the number of duplicates."""
    for host in HOSTS:
        topic = f"tap-{host}/tapped"
        numbers = []

        def all_there():
            numbers[:] = [message.json["seq"] for message in watcher.seen[since:]
                          if message.topic == topic]
            return len(set(numbers)) == count

        try:
            wait(f"every event of {topic}", all_there, 10)
        except Missing:
            lost = sorted(set(range(min(numbers, default=0), max(numbers, default=0))) - set(numbers))
            between = f"between {numbers[0]} and {max(numbers)}" if numbers else "at all"
            raise Missing(f"{topic}: {len(set(numbers))} of {count}; lost {between}: {lost}") from None
        highest, first = 0, []
        for number in numbers:
            if number > highest:
                first.append(number)
            highest = max(highest, number)
        assert first == sorted(set(numbers)), f"{topic}: not in order: {numbers}"
        print(f"   {topic}: {len(first)} events, in order; {len(numbers) - len(first)} came twice")


def check_answers(watcher, since, asked):
    """The number of answered commands; a newer command may replace a waiting one."""
    answers = [message for message in watcher.seen[since:]
               if message.topic.endswith("/result")]
    known = [message.json.get("id") for message in answers]
    missing = [identifier for _, _, identifier in asked if identifier not in known]
    print(f"   {len(asked)} commands: {len(asked) - len(missing)} answered, {len(missing)} not, "
          f"{sum(known.count(identifier) > 1 for identifier in set(known))} twice")


def check_retained(stage, complete):
    """Requires that the retained messages are the same on these nodes, including the restarted one."""
    def kept():
        return {name: {topic: payload for topic, payload in stage.fresh(node).items()
                       if not topic.endswith(("/heartbeat", "/last_seen"))}
                for name, node in stage.brokers.nodes.items()}

    def same():
        nonlocal found
        found = kept()
        first, *rest = (found[name] for name in complete)
        return f"bridge/{HOSTS[0]}/info" in first and all(it == first for it in rest)

    found, begun = {}, time.monotonic()
    try:
        wait("the same retained messages at each node", same, 20, 0.2)
    except Missing:
        (first, all_of_it), *rest = ((name, found[name]) for name in complete)
        differing = {name: sorted(topic for topic in all_of_it.keys() | it.keys()
                                  if it.get(topic) != all_of_it.get(topic))[:8] for name, it in rest}
        raise Missing(f"retained messages differ from {first}: {differing}") from None
    print(f"   retained messages: {', '.join(f'{len(it)} at {name}' for name, it in found.items())}; "
          f"the same at {' and '.join(sorted(complete))} {time.monotonic() - begun:.1f} s later")


def check_access(stage):
    """Requires that forbidden messages do not pass, and stops do."""
    address, watcher = stage.brokers.addresses[0], stage.watcher
    since, reports = len(watcher.seen), len(stage.air.reports)
    with Client("hall", [address], identifier="forger") as bridge, Client("viewer", [address]) as viewer:
        # Mosquitto may close the connection over each of these. At QoS 1 messages that it has not rejected are sent
        # again.
        bridge.publish("bridge/attic/availability", "offline", retain=True)
        bridge.publish("bridge/attic/request/reload", "")
        viewer.publish("robot-attic/drive/set", {"x": 0.5, "y": 0.0})
        viewer.publish("belt-attic/mode/set", {"mode": "app"})
        # After them, permitted messages.
        bridge.publish("bridge/hall/event", {"event": "marker"})
        viewer.publish("robot-attic/stop/set", {"id": f"access-{since}"})
        watcher.expect("bridge/hall/event", lambda message: message.json.get("event") == "marker", 10, since)
        watcher.expect("robot-attic/result", lambda message: message.json.get("id") == f"access-{since}", 10, since)
    came = {message.topic for message in watcher.seen[since:]}
    forbidden = {"bridge/attic/availability", "bridge/attic/request/reload", "robot-attic/drive/set",
                 "belt-attic/mode/set"} & came
    assert not forbidden, f"came through: {forbidden}"
    assert not any(turning for _, turning in stage.air.wheels("robot-attic", reports))
    with Client("viewer", [address], ["tap-hall/tapped"]) as viewer:
        since = len(watcher.seen)
        stage.air.type("tap-hall 5")
        watcher.expect("tap-hall/tapped", since=since)
        assert not viewer.seen, "a viewer reads what is typed"
    print("   access: a bridge writes no other bridge's topics, a viewer drives nothing and reads no taps, and stops")
