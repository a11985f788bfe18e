"""Puts the figures of a benchmark into Markdown, and how the cost grows into a drawing."""

PEERS = {"bridge": "bridge", "floor": "C floor", "python": "bleak and paho"}
COLOURS = {"bridge": "#0969da", "floor": "#57606a", "python": "#bf3989"}


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
    counts = sorted(int(key.split()[1]) for key in results if key.startswith("memory"))
    rows = []
    for name in results[f"memory {counts[0]}"]:
        found = [results[f"memory {count}"].get(name) for count in counts]
        cells = [f"{f['resident_kb'] / 1000:.1f} ({f['own_kb'] / 1000:.1f})" if f else "failed" for f in found]
        ends = [f["own_kb"] for f in (found[0], found[-1]) if f]
        slope = f"{(ends[1] - ends[0]) / (counts[-1] - counts[0]):.0f} kB" if len(ends) == 2 else ""
        rows.append([PEERS[name], *cells, slope])
    return table(["resident MB (its own)", *(str(count) for count in counts), "a further device"], rows)


def start(results: dict) -> str:
    rows = [[PEERS[name], f"{r['message']:.0f}", f"{r['event']:.0f}"] for name, r in results["start"].items()]
    return table(["start, ms", "first message", "first tap passed on"], rows)


def targets(results: dict) -> str:
    """What the bridge is to reach, and whether it does."""
    bridge = {key: peers["bridge"] for key, peers in results.items() if "bridge" in peers}
    floor = {key: peers["floor"] for key, peers in results.items() if "floor" in peers}
    python = {key: peers["python"] for key, peers in results.items() if "python" in peers}
    rows = []

    def row(what, limit, value, text):
        rows.append([what, f"{limit:g}", text, "yes" if value <= limit else "**no**"])

    ratio = bridge["fair"]["us_peer"] / floor["fair"]["us_peer"]
    row("processor time an event, of the floor's", 1.5, ratio, f"{ratio:.2f}")
    added = bridge["fair"]["p50"] - floor["fair"]["p50"]
    row("added median latency, µs", 100, added, f"{added:.0f}")
    if "fair" in python:
        p99 = bridge["fair"]["p99"] / python["fair"]["p99"]
        row("p99, of the Python peer's", 1, p99, f"{p99:.2f}")
    for key in ("300 x 50", "100 x 200"):
        if key in bridge:
            row(f"lost of {key}", 0, bridge[key]["lost"], f"{bridge[key]['lost']:.0f}")
    counts = sorted(int(key.split()[1]) for key in bridge if key.startswith("memory"))
    first, last = bridge[f"memory {counts[0]}"], bridge[f"memory {counts[-1]}"]
    row("resident MB, one device", 25, first["resident_kb"] / 1000, f"{first['resident_kb'] / 1000:.1f}")
    slope = (last["resident_kb"] - first["resident_kb"]) / (counts[-1] - counts[0])
    row("kB for each further device", 100, slope, f"{slope:.0f}")
    row("start to first message, ms", 300, bridge["start"]["message"], f"{bridge['start']['message']:.0f}")
    return table(["what", "at most", "measured", "reached"], rows)


def markdown(result: dict) -> str:
    about, results = result["about"], result["results"]
    return "\n".join([
        f"Measured on {about['date']}: {about['cores']} cores of a virtual {about['machine']} machine with "
        f"{about['memory_gb']} GB, seed {about['seed']}, {about['seconds']} s each, median of {about['rounds']}.\n",
        targets(results),
        path(results, "fair", "20 TAPs, 200 taps a second each"),
        path(results, "commands", "20 TAPs, 10 vibrations a second each"),
        loads(results), highest(results), memory(results), start(results),
        "![Processor time an event, over rate and devices](Tests/Benchmarks/cost.svg)\n",
    ])


def plot(result: dict) -> str:
    """Two drawings side by side: processor time an event over the rate, and over the number of devices."""
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
    """One drawing: a linear axis upwards, and the values that occur, evenly spaced, to the right."""
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
