import Haptics
import Testing

@Suite("The built-in patterns match the documentation")
struct BuiltInTests {
    @Test("normal is one dull tap")
    func normal() {
        #expect(Pattern.normal.events == [Event(time: 0, .transient, intensity: 0.4, sharpness: 0.2)])
    }

    @Test("multi is a vibration up to 2 Hz", arguments: [0.1, 1, 2.0])
    func slow(frequency: Double) {
        #expect(
            Pattern.multi(frequency: frequency, amplitude: 0.5).events == [
                Event(time: 0, .continuous(duration: 0.2), intensity: 0.35, sharpness: 0.3)
            ])
    }

    @Test("multi is a tap above 2 Hz", arguments: [2.001, 10])
    func fast(frequency: Double) {
        #expect(
            Pattern.multi(frequency: frequency, amplitude: 0.5).events == [
                Event(time: 0, .transient, intensity: 0.3, sharpness: 0.5)
            ])
    }

    @Test("gradual is a symmetric bell of 2 s that peaks at its intensity", arguments: [0.6, 1, 0.05])
    func gradual(intensity: Double) {
        let events = Pattern.gradual(intensity: intensity).events
        #expect(events.count == 20)
        for (index, event) in events.enumerated() {
            #expect(event.time == Double(index) / 10)
            #expect(event.kind == .continuous(duration: 0.1))
            #expect(event.sharpness == 0.5)
            let p = Double(index) / 20
            #expect(abs(event.intensity - intensity * (1 - (2 * p - 1) * (2 * p - 1))) < 1e-12)
        }
        let strengths = events.map(\.intensity)
        #expect(strengths[0] < 0.01 && strengths[10] == intensity && strengths.max() == intensity)
        #expect((1..<10).allSatisfy { abs(strengths[10 - $0] - strengths[10 + $0]) < 1e-12 })
        #expect((1...10).allSatisfy { strengths[$0 - 1] < strengths[$0] })
        let timeline = Pattern.gradual(intensity: intensity).timeline
        #expect(timeline.length == .seconds(2) && timeline.total == .seconds(2))
    }

    @Test("gradual has a default intensity of 0.6")
    func gradualDefault() {
        #expect(Pattern.gradual().events[10].intensity == 0.6)
    }

    @Test("heavy falls from 1.0 to 0.2")
    func heavy() {
        #expect(
            Pattern.heavy.events == [
                Event(time: 0, .continuous(duration: 0.2), intensity: 1, sharpness: 0.3),
                Event(time: 0.2, .continuous(duration: 0.2), intensity: 0.8, sharpness: 0.3),
                Event(time: 0.4, .continuous(duration: 0.2), intensity: 0.6, sharpness: 0.3),
                Event(time: 0.6, .continuous(duration: 0.2), intensity: 0.4, sharpness: 0.3),
                Event(time: 0.8, .continuous(duration: 0.2), intensity: 0.2, sharpness: 0.3),
            ])
    }
}

extension Pattern {
    /// The compiled pattern, played once.
    var timeline: Timeline { Timeline(self) }
}
