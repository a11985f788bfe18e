import Haptics
import Testing

@Suite("Taps in a row")
struct TapTests {
    private func taps(every distance: Int, count: Int = 4, sharpness: Double) -> Timeline {
        Timeline(
            Pattern(
                (0..<count).map {
                    Event(time: Double($0 * distance) / 1000, .transient, intensity: 1, sharpness: sharpness)
                }))
    }

    @Test(
        "A pause separates taps, and what that costs is reported",
        arguments: [
            (300, 0.2, 100, []), (150, 0.2, 100, []), (120, 0.2, 70, []), (100, 0.2, 50, [.sharpness]),
            (60, 0.2, 30, [.sharpness]), (40, 0.2, 20, [.sharpness]), (200, 0.8, 50, []), (100, 0.8, 50, []),
            (60, 0.8, 30, []), (40, 0.8, 20, []),
        ] as [(Int, Double, Int, Set<Loss>)])
    func separate(distance: Int, sharpness: Double, length: Int, lost: Set<Loss>) {
        let timeline = taps(every: distance, sharpness: sharpness)
        #expect(timeline.steps.map(\.start) == (0..<4).map { .milliseconds($0 * distance) })
        #expect(timeline.steps.dropLast().allSatisfy { $0.length == .milliseconds(length) && $0.tap != nil })
        #expect(timeline.steps.last?.length == .milliseconds(sharpness < 0.5 ? 100 : 50), "nothing follows")
        #expect(timeline.lost == lost)
    }

    @Test("Taps that are too close to be told apart are one vibration, and the timing is reported")
    func close() {
        let timeline = taps(every: 30, count: 1000, sharpness: 0.8)
        #expect(timeline.steps.map(\.tap) == [nil, .short])
        #expect(timeline.steps.map(\.length) == [.milliseconds(29_970), .milliseconds(50)])
        #expect(timeline.lost == [.timing])
    }

    @Test("A thousand taps are a thousand steps")
    func many() {
        let timeline = taps(every: 50, count: 1000, sharpness: 0.9)
        #expect(timeline.steps.count == 1000 && timeline.lost == [])
    }

    @Test("Taps at the same time are not taps in a row")
    func simultaneous() {
        let tap = Event(time: 0, .transient, intensity: 1, sharpness: 0.9)
        #expect(Timeline(Pattern([tap, tap, tap])).lost == [])
        let dull = Event(time: 0, .transient, intensity: 1, sharpness: 0.1)
        for taps in [[tap, dull], [dull, tap]] {
            let timeline = Timeline(Pattern(taps))
            #expect(timeline.lost == [] && timeline.steps.map(\.tap) == [.long])
        }
    }

    @Test("A tap without effect does not shorten another")
    func silent() {
        let events = [1.0, 0].enumerated().map {
            Event(time: Double($0) / 20, .transient, intensity: $1, sharpness: 0)
        }
        #expect(Timeline(Pattern(events)).steps.map(\.length) == [.milliseconds(100)])
    }

    @Test(
        "A tap within a vibration is felt if it is stronger; otherwise the timing is reported",
        arguments: [(1, []), (0.55, [.timing]), (0.5, [.timing]), (0.2, [.timing])] as [(Double, Set<Loss>)])
    func within(intensity: Double, lost: Set<Loss>) {
        let timeline = Timeline(
            Pattern([
                Event(time: 0, .continuous(duration: 1), intensity: 0.5, sharpness: 0.5),
                Event(time: 0.5, .transient, intensity: intensity, sharpness: 0.9),
            ]))
        #expect(timeline.lost == lost)
        #expect(timeline.intensity(at: .milliseconds(520)) == max(0.5, intensity))
    }

    @Test(
        "A pause that is too short to be felt is reported",
        arguments: [(20, []), (19, [.timing]), (1, [.timing])] as [(Int, Set<Loss>)])
    func shortPause(pause: Int, lost: Set<Loss>) {
        let next = 0.1 + Double(pause) / 1000
        let vibration = Event(time: 0, .continuous(duration: 0.1), intensity: 0.5, sharpness: 0.5)
        for kind in [Event.Kind.transient, .continuous(duration: 0.1)] {
            let event = Event(time: next, kind, intensity: 0.5, sharpness: 0.5)
            #expect(Timeline(Pattern([vibration, event])).lost == lost)
        }
        let stronger = Event(time: next, .transient, intensity: 0.8, sharpness: 0.5)
        #expect(Timeline(Pattern([vibration, stronger])).lost == [], "a difference of strength is felt")
        // The pause is between the passes.
        let late = Event(
            time: Double(pause) / 1000, .continuous(duration: 0.3), intensity: 0.5, sharpness: 0.5)
        #expect(Timeline(Pattern([late])).lost == [])
        #expect(Timeline(Pattern([late]), passes: 2).lost == lost)
    }

    @Test("A tap whose start is hidden is reported, and its rest is not a second tap")
    func hiddenStart() {
        func timeline(_ start: Double, _ end: Double) -> Timeline {
            Timeline(
                Pattern([
                    Event(time: 0.5, .transient, intensity: 0.5, sharpness: 0),
                    Event(time: start, .continuous(duration: end - start), intensity: 1, sharpness: 0),
                ]))
        }
        let hidden = timeline(0.4, 0.55)
        #expect(hidden.lost == [.timing] && hidden.steps.map(\.tap) == [nil, nil])
        let interrupted = timeline(0.53, 0.56)
        #expect(interrupted.lost == [] && interrupted.steps.map(\.tap) == [.long, nil, nil])
        #expect(interrupted.length == .milliseconds(600))
    }

    @Test("The sharpness control changes vibrations, not taps")
    func control() {
        let timeline = Timeline(
            Pattern(
                [
                    Event(time: 0, .transient, intensity: 1, sharpness: 0.4),
                    Event(time: 0.5, .continuous(duration: 0.1), intensity: 1, sharpness: 0.4),
                ], changes: [Change(.sharpness, time: 0, .step(0.5))]))
        #expect(timeline.steps.map(\.tap) == [.long, nil])
        #expect(timeline.steps.map(\.sharpness) == [0.4, 0.9])
    }
}
