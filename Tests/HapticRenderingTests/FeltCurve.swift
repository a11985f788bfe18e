/// The strength of a vibration over time, as a wearer feels it.
struct FeltCurve {
    /// A new strength, 0 to 1, at a time since the start of the curve.
    struct Change {
        var time: Duration
        var strength: Double
    }

    /// The shortest pause that a wearer can feel.
    private static let shortestPause = Duration.milliseconds(20)
    /// The changes in order, each to another strength. Before the first change, nothing vibrates.
    private(set) var changes: [Change] = []

    mutating func change(to strength: Double, at time: Duration) {
        if changes.last?.time == time { changes.removeLast() }
        if changes.last?.strength ?? 0 != strength { changes.append(Change(time: time, strength: strength)) }
    }

    /// The time of the last change.
    var end: Duration { changes.last?.time ?? .zero }

    /// How many times the vibration starts after silence.
    var pulses: Int {
        changes.indices.count(where: {
            changes[$0].strength > 0 && ($0 == 0 || changes[$0 - 1].strength == 0)
        })
    }

    func strength(at time: Duration) -> Double { changes.last { $0.time <= time }?.strength ?? 0 }

    /// The strength that starts at about this time, and its duration.
    func pulse(near time: Duration, within tolerance: Duration) -> (strength: Double, length: Duration)? {
        zip(changes, changes.dropFirst()).first { change, _ in
            change.strength > 0 && change.isNear(time, within: tolerance)
        }.map { change, next in (change.strength, next.time - change.time) }
    }

    /// Whether the wearer feels that something starts at about this time: after a pause, or because the strength
    /// changes.
    func hasOnset(near time: Duration, within tolerance: Duration) -> Bool {
        changes.indices.contains { index in
            let change = changes[index]
            guard change.strength > 0, change.isNear(time, within: tolerance) else { return false }
            guard index > 0 else { return true }
            let last = changes[index - 1]
            guard last.strength == 0 else { return change.differs(from: last) }
            return change.time - last.time >= Self.shortestPause
                || index > 1 && change.differs(from: changes[index - 2])
        }
    }
}

extension FeltCurve.Change {
    fileprivate func isNear(_ time: Duration, within tolerance: Duration) -> Bool {
        (time - tolerance...time + tolerance).contains(self.time)
    }

    /// Whether a wearer can feel the difference without a pause. A belt rounds 0.1 to whole percents.
    fileprivate func differs(from other: Self) -> Bool { abs(strength - other.strength) >= 0.09 }
}
