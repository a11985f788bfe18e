import Haptics
import HostTesting

/// An event of a pattern as it is requested, with times since the start of the first pass. It is made from the pattern
/// without the code under test.
struct AskedEvent {
    var start: Duration
    var end: Duration
    var intensity: Double
    var isTap: Bool
    /// Whether a tap is dull, so that it lasts longer than a crisp tap.
    var isDull: Bool
    var position: Position?

    init(_ event: Event, delayedBy delay: Duration) {
        start = .milliseconds(Int((event.time * 1000).rounded())) + delay
        isDull = event.sharpness < 0.5
        (intensity, position) = (event.intensity, event.position)
        switch event.kind {
        case .transient:
            isTap = true
            end = start + .milliseconds(isDull ? 100 : 50)
        case .continuous(let duration, _):
            isTap = false
            end = start + .milliseconds(Int((duration * 1000).rounded()))
        }
    }

    /// The events of all passes. A pass starts at the end of the previous pass, but 200 ms after its last tap.
    static func all(_ events: [Event], passes: Int = 1, delayedBy delay: Duration = .zero) -> [AskedEvent] {
        let first = events.map { AskedEvent($0, delayedBy: .zero) }
        let ends = first.map { $0.isTap ? max($0.end, $0.start + .milliseconds(200)) : $0.end }
        let period = ends.max() ?? .zero
        return (0..<passes).flatMap { pass in
            events.map { AskedEvent($0, delayedBy: delay + period * pass) }
        }
    }

    /// Whether the event starts while none of the events vibrates.
    func startsAfterSilence(of events: [AskedEvent]) -> Bool {
        !events.contains { $0.start < start && $0.end >= start }
    }

    /// Whether none of the other events is near.
    func isAlone(among events: [AskedEvent]) -> Bool {
        let margin = Duration.milliseconds(200)
        return events.count(where: { $0.start < end + margin && $0.end + margin > start }) == 1
    }
}

extension RandomSource {
    /// Events that are hard to play: taps and vibrations with short distances, short pauses and overlaps, possibly at
    /// several places.
    mutating func hapticEvents() -> [Event] {
        let kinds = pick([[true], [false], [true, false]])
        let places: [Position?] = pick(
            [[nil], [nil], [nil], [nil, Position(degrees: 90), Position(degrees: 270)]])
        let intensities: [Double] = pick([[0.3], [0.5], [1], (1...10).map { Double($0) / 10 }])
        var time = pick([0, 0, 0, 7, 90])
        return (0..<Int.random(in: 1...6, using: &self)).map { _ in
            let (isTap, length) = (pick(kinds), pick([4, 15, 30, 55, 100, 180, 333]))
            defer {
                time +=
                    pick([3, 12, 25, 45, 70, 120, 210, 300]) + (isTap || pick([true, false]) ? 0 : length)
            }
            return Event(
                time: Double(time) / 1000,
                isTap ? .transient : .continuous(duration: Double(length) / 1000),
                intensity: pick(intensities), sharpness: pick([0.2, 0.8]), at: pick(places))
        }
    }

    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &self)]
    }
}
