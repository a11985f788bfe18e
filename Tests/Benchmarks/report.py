"""Writes the measurements of a benchmark as Markdown, and the growth of cost as a drawing."""

PEERS = {"bridge": "bridge", "acquired": "bridge, acquired sockets", "file": "bridge, devices of a file", "before": "bridge before", "floor": "C floor",
         "answering": "C floor that answers", "python": "bleak and paho"}
COLOURS = {"bridge": "#0969da", "before": "#bc4c00", "floor": "#57606a", "python": "#bf3989"}


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def ms(microseconds: float) -> str:
    return f"{microseconds / 1000:.2f}" if microseconds < 10_000 else f"{microseconds / 1000:.0f}"


def loss(result: dict) -> str:
    return "none" if not result["lost"] else f"{result['lost']:.0f} of {result['sent']:.0f}"


def path(results: dict, key: str, title: str) -> str:
    rows = [
        [PEERS[name], f"{r['us_peer']:.1f}", ms(r["p50"]), ms(r["p99"]), ms(r["p999"]), loss(r)]
        for name, r in results.get(key, {}).items()
    ]
    return table([title, "µs of processor a message", "p50 ms", "p99 ms", "p99.9 ms", "lost"], rows)


def loads(results: dict) -> str:
    rows = []
    for key, title in (("300 x 50", "300 devices, 50 taps a second each"),
                       ("100 x 200", "100 devices, 200 taps a second each"),
                       ("narrow", "the same, Mosquitto's own Receive Maximum of 20")):
        for name, r in results.get(key, {}).items():
            rows.append([title, PEERS[name], f"{r['sent'] / r['seconds']:,.0f}", loss(r), f"{r['us_peer']:.1f}",
                         ms(r["p50"]), ms(r["p99"]), f"{r['drained'] - r['seconds']:.1f}"])
    return table(["load", "", "sent a second", "lost", "µs", "p50 ms", "p99 ms", "s to catch up"], rows)


def highest(results: dict) -> str:
    rows = [
        [PEERS[name], f"{r['rate']:,.0f}", loss(r),
         *(f"{r['us_' + part]:.1f}" for part in ("peer", "bus", "broker", "rig"))]
        for name, r in results.get("flood", {}).items()
    ]
    return table(["highest rate, 100 devices", "a second", "lost", "µs: itself", "dbus-daemon", "mosquitto",
                  "load and measuring"], rows)


def memory(results: dict) -> str:
    return sizes(results, "resident MB (its own)", "own_kb",
                 lambda r: f"{r['resident_kb'] / 1000:.1f} ({r['own_kb'] / 1000:.1f})")


def shares(results: dict) -> str:
    return sizes(results, "PSS MB, guardian included", "pss_kb", lambda r: f"{r['pss_kb'] / 1000:.1f}")


def sizes(results: dict, title: str, key: str, cell) -> str:
    """The memory by number of devices, and the memory of each further device by one of the measurements."""
    counts = numbers(results, "memory")
    rows = []
    for name in results[f"memory {counts[0]}"]:
        found = [results[f"memory {count}"].get(name) for count in counts]
        more = growth(only(results, name), key)
        rows.append([PEERS[name], *(cell(f) if f else "failed" for f in found),
                     "" if more is None else f"{more:.0f} kB"])
    return table([title, *(str(count) for count in counts), "a further device"], rows)


def numbers(results: dict, prefix: str) -> list[int]:
    """The numbers of devices for which something was measured."""
    return sorted(int(key.split()[1]) for key in results if key.startswith(prefix + " "))


def only(results: dict, name: str) -> dict:
    """The results of one peer."""
    return {key: peers[name] for key, peers in results.items() if name in peers}


def growth(peer: dict, key: str) -> float | None:
    """The kilobytes of a further device of a peer, from the fewest devices to the most; None for a single count."""
    counts = numbers(peer, "memory")
    if len(counts) < 2:
        return None
    first, last = peer[f"memory {counts[0]}"], peer[f"memory {counts[-1]}"]
    return (last[key] - first[key]) / (counts[-1] - counts[0])


def setup(results: dict, key: str, title: str) -> str:
    counts = numbers(results, key)
    names = {name: None for count in counts for name in results[f"{key} {count}"]}
    rows = []
    for name in names:
        found = [results[f"{key} {count}"].get(name) for count in counts]
        rows.append([PEERS[name], *(f"{f['cpu_ms'] / 1000:.2f} ({f['ready_ms'] / 1000:.1f})" if f else "failed"
                                    for f in found)])
    return table([f"{title}, s of processor (until subscribed)", *(f"{count:,}" for count in counts)], rows)


def start(results: dict) -> str:
    rows = [[PEERS[name], f"{r['message']:.0f}", f"{r['event']:.0f}"] for name, r in results["start"].items()]
    return table(["start, ms", "first message", "first tap passed on"], rows)


def retained(results: dict) -> str:
    families = {"belt": "belt", "tap": "TAP", "robot": "robot"}
    rows = [
        [PEERS[name], *(f"{r[family]:,.0f} ({r[family + ' discovery']:,.0f}) in {r[family + ' topics']:.0f}"
                        for family in families)]
        for name, r in results["retained"].items()
    ]
    return table(["retained bytes (of them discovery) in topics", *families.values()], rows)


def advertisements(results: dict) -> str:
    rows = [
        [title, PEERS[name], f"{r['sent'] / r['seconds']:,.0f}", loss(r),
         *(f"{r['us_' + part]:.1f}" for part in ("peer", "bus", "broker", "rig"))]
        for key, title in (("strangers", "devices that no family matches"),
                           ("sensors", "60 sensors of BTHome; the floor: 60 TAPs"),
                           ("addresses", "changing addresses, each device added and removed"))
        for name, r in results.get(key, {}).items()
    ]
    return table(["advertisements", "", "a second", "lost", "µs a report: itself", "dbus-daemon", "mosquitto",
                  "BlueZ's replacement and measuring"], rows)


class Targets:
    """The goals of the bridge and its results, next to those of the earlier program and the floor."""

    def __init__(self, results: dict):
        self.results = results
        self.rows: list[list[str]] = []
        self.has_before = any("before" in peers for peers in results.values())

    def add(self, what: str, limit, value, form="{:.0f}", subject="bridge"):
        """limit: a function of the peers' measurements. value: a function of a peer's; None for a missing measurement.
        subject: the peer in the bridge's column.

        A row is omitted if the bridge, or a measurement for its limit, is missing."""
        found = {name: self.figure(value, name) for name in ("bridge", "before", "floor", "python")}
        reach = limit(found) if callable(limit) else limit
        found["bridge"] = self.figure(value, subject)
        if found["bridge"] is None or reach is None:
            return
        cells = [what, form.format(reach) if callable(limit) else f"{limit:g}", form.format(found["bridge"])]
        if self.has_before:
            cells.append(form.format(found["before"]) if found["before"] is not None else "")
        cells.append(form.format(found["floor"]) if found["floor"] is not None else "")
        self.rows.append(cells + ["yes" if found["bridge"] <= reach else "**no**"])

    def figure(self, value, name: str):
        try:
            return value(only(self.results, name))
        except KeyError:
            return None

    def text(self) -> str:
        before = ["before"] if self.has_before else []
        return table(["what", "at most", "bridge", *before, "floor", "reached"], self.rows)


def targets(results: dict) -> str:
    all_targets = Targets(results)
    add = all_targets.add

    def floors(more):
        return lambda found: None if found["floor"] is None else found["floor"] + more

    def together(r):
        """The processor time of an event in the bridge, guardian, bus and broker, as a multiple of the floor's."""
        def cost(events):
            return sum(events[f"us_{part}"] for part in ("peer", "bus", "broker"))
        return cost(r["fair"]) / cost(results["fair"]["floor"])

    def part_of(key):
        """The processor time of a message as a multiple of the floor's."""
        cost = results.get(key, {}).get("floor", {}).get("us_peer")
        return lambda r: r[key]["us_peer"] / cost if cost else None

    add("processor time a command, of the floor's", 2, part_of("commands"), "{:.2f}")
    add("p99 of a command, ms: the floor's + 1", floors(1), lambda r: r["commands"]["p99"] / 1000, "{:.2f}")
    add("p99.9 of a command, ms: the floor's + 5", floors(5), lambda r: r["commands"]["p999"] / 1000, "{:.2f}")
    add("processor time an event, of the floor's", 1.3, part_of("fair"), "{:.2f}")
    add("p50 of an event at 20 x 200, ms: the floor's + 0.1", floors(0.1), lambda r: r["fair"]["p50"] / 1000, "{:.2f}")
    add("the same, with bus and broker", 1.25, together, "{:.2f}")
    add("the same, with acquired sockets", 1, together, "{:.2f}", subject="acquired")
    add("p99 of an event with acquired sockets, ms: with signals", lambda found: found["bridge"],
        lambda r: r["fair"]["p99"] / 1000, "{:.2f}", subject="acquired")
    if "python" in results.get("fair", {}):
        add("p99 of an event, ms: the Python peer's", lambda found: found["python"],
            lambda r: r["fair"]["p99"] / 1000, "{:.2f}")
    for key in ("300 x 50", "100 x 200"):
        add(f"p50 at {key}, ms: the floor's + 0.3", floors(0.3), lambda r, key=key: r[key]["p50"] / 1000, "{:.2f}")
        add(f"lost at {key}", 0, lambda r, key=key: r[key]["lost"])
    for count, limit in ((300, 1.5), (1000, 5)):
        add(f"set-up of {count:,} known devices, s of processor", limit,
            lambda r, count=count: r[f"setup {count}"]["cpu_ms"] / 1000, "{:.2f}")
    add("set-up of 300 devices with connecting, s: 1.5 times the floor's + 2",
        lambda found: None if found["floor"] is None else 1.5 * found["floor"] + 2,
        lambda r: r["connect 300"]["ready_ms"] / 1000, "{:.1f}")
    add("set-up of 300 devices with connecting, s of processor", 1.5,
        lambda r: r["connect 300"]["cpu_ms"] / 1000, "{:.2f}")
    add("PSS of bridge and guardian with one device, MB", 25, lambda r: r["memory 1"]["pss_kb"] / 1000, "{:.1f}")
    add("PSS of a further device, kB", 50, lambda r: growth(r, "pss_kb"))
    add("processor time a report of a device that no family matches, µs", 15,
        lambda r: r["strangers"]["us_peer"], "{:.1f}")
    add("processor time a packet of 60 sensors of BTHome, µs", 100, lambda r: r["sensors"]["us_peer"], "{:.1f}")
    add("lost packets of 60 sensors of BTHome", 0, lambda r: r["sensors"]["lost"])
    add("memory after 60,000 changing addresses, kB more", 1000, lambda r: r["addresses"]["growth_kb"])
    add("start to first message, ms", 300, lambda r: r["start"]["message"])
    for family in ("belt", "tap", "robot") if all_targets.has_before else ():
        add(f"retained bytes of a {family.replace('tap', 'TAP')}: half of before",
            lambda found: None if found["before"] is None else found["before"] / 2,
            lambda r, family=family: r["retained"][family], "{:,.0f}")
    return all_targets.text()


def markdown(result: dict) -> str:
    about, results = result["about"], result["results"]
    chapters = [
        path(results, "fair", "20 TAPs, 200 taps a second each"),
        path(results, "commands", "20 TAPs, 10 vibrations a second each"),
        loads(results), highest(results), advertisements(results),
    ]
    for key, title in (("setup", "set-up of known devices"), ("connect", "set-up with connecting")):
        if numbers(results, key):
            chapters.append(setup(results, key, title))
    if numbers(results, "memory"):
        chapters += [shares(results), memory(results)]
    chapters += [chapter(results) for key, chapter in (("start", start), ("retained", retained)) if key in results]
    return "\n".join([
        f"Measured on {about['date']}: {about['cores']} cores of a virtual {about['machine']} machine with "
        f"{about['memory_gb']} GB, seed {about['seed']}, {about['seconds']} s each, median of {about['rounds']}"
        + (", before everything else that the machine did.\n" if about.get("real_time") else ".\n"),
        *(chapter for chapter in [targets(results), *chapters] if chapter.count("\n") > 2),
        "![Processor time an event, over rate and devices](cost.svg)\n",
    ])


def plot(result: dict) -> str:
    """Two drawings side by side: processor time per event by rate, and by number of devices."""
    results = result["results"]

    def points(prefix, extra):
        keys = {int(key.split()[1]): key for key in results if key.startswith(prefix)} | extra
        return {
            name: [(x, results[keys[x]][name]["us_peer"]) for x in sorted(keys)
                   if keys[x] in results and name in results[keys[x]]]
            for name in PEERS
        }

    by_rate = points("rate", {2000: "devices 100", 20_000: "100 x 200"})
    by_count = points("devices", {})
    by_count = {name: [point for point in line if point[0] > 1] for name, line in by_count.items()}
    highest = max(y for lines in (by_rate, by_count) for line in lines.values() for _, y in line)
    body = [_axes(40, "events a second, 100 devices", by_rate, highest),
            _axes(440, "devices, 2,000 events a second", by_count, highest)]
    legend = "".join(
        f'<text x="{40 + 150 * i}" y="20" fill="{COLOURS[name]}">{title}</text>'
        for i, (name, title) in enumerate(PEERS.items()) if by_rate[name])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 330" font-family="sans-serif" font-size="12">'
        '<rect width="820" height="330" fill="white"/>'
        f'{legend}<text x="40" y="40" fill="#24292f">µs of processor an event</text>{"".join(body)}</svg>\n')


def _axes(left: int, title: str, lines: dict, highest: float) -> str:
    """One drawing: a linear vertical axis, and the measured values evenly spaced on the horizontal axis."""
    bottom, width, height = 280, 330, 220
    xs = sorted({x for line in lines.values() for x, _ in line})
    step = 10 ** (len(str(int(highest))) - 1)
    step = next(s for s in (step / 5, step / 2, step, step * 2, step * 5) if highest / s <= 6)
    across = {x: left + 20 + i * (width - 40) / max(len(xs) - 1, 1) for i, x in enumerate(xs)}

    def up(y):
        return bottom - y / highest * height

    parts = []
    for i in range(int(highest / step) + 1):
        y = up(i * step)
        parts.append(f'<path d="M{left} {y:.1f}h{width}" stroke="#d0d7de"/>'
                     f'<text x="{left - 4}" y="{y + 4:.1f}" text-anchor="end" fill="#57606a">{i * step:g}</text>')
    parts += [f'<text x="{across[x]:.1f}" y="{bottom + 16}" text-anchor="middle" fill="#57606a">{x:,}</text>' for x in xs]
    parts.append(f'<text x="{left + width / 2}" y="{bottom + 36}" text-anchor="middle" fill="#24292f">{title}</text>')
    for name, line in lines.items():
        if line:
            road = " ".join(f"{across[x]:.1f},{up(y):.1f}" for x, y in line)
            parts.append(f'<polyline points="{road}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
            parts += [f'<circle cx="{across[x]:.1f}" cy="{up(y):.1f}" r="3" fill="{COLOURS[name]}"/>' for x, y in line]
    return "".join(parts)
