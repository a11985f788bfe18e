import Haptics
import JSON
import Testing

@Suite("Compiled patterns")
struct TimelineTests {
    private func continuous(_ time: Double, _ duration: Double, _ intensity: Double) -> Event {
        Event(time: time, .continuous(duration: duration), intensity: intensity, sharpness: 0.5)
    }

    private func step(_ start: Int, _ length: Int, _ intensity: Double, _ sharpness: Double = 0.5)
        -> Timeline.Step
    {
        Timeline.Step(
            start: .milliseconds(start), length: .milliseconds(length), intensity: intensity,
            sharpness: sharpness)
    }

    @Test("heavy becomes five steps without a gap")
    func heavy() {
        #expect(
            Timeline(.heavy).steps == [
                step(0, 200, 1, 0.3), step(200, 200, 0.8, 0.3), step(400, 200, 0.6, 0.3),
                step(600, 200, 0.4, 0.3), step(800, 200, 0.2, 0.3),
            ])
    }

    @Test("A crisp tap is short, and a dull tap is long")
    func taps() {
        let timeline = Timeline(
            Pattern([
                Event(time: 0, .transient, intensity: 1, sharpness: 0.9),
                Event(time: 0.5, .transient, intensity: 1, sharpness: 0.1),
            ]))
        #expect(timeline.steps.map(\.length) == [.milliseconds(50), .milliseconds(100)])
        #expect(timeline.steps.map(\.tap) == [.short, .long])
        #expect(timeline.length == .milliseconds(600) && timeline.period == .milliseconds(700))
    }

    @Test("Of overlapping events, the strongest is felt")
    func overlap() {
        let timeline = Timeline(Pattern([continuous(0, 1, 0.4), continuous(0.2, 0.3, 0.9)]))
        #expect(timeline.steps == [step(0, 200, 0.4), step(200, 300, 0.9), step(500, 500, 0.4)])
    }

    @Test("The scale is a factor, and values out of range are clamped")
    func scale() {
        let pattern = Pattern([continuous(0, 0.1, 3), continuous(0.1, 0.1, 0.5), continuous(0.2, 0.1, -1)])
        #expect(Timeline(pattern, scale: 0.5).steps == [step(0, 100, 0.5), step(100, 100, 0.25)])
        #expect(Timeline(pattern, scale: 9).steps.map(\.intensity) == [1, 0.5])
        #expect(Timeline(pattern, scale: 0).steps == [])
        #expect(Timeline(pattern).length == .milliseconds(300), "silence at the end counts")
    }

    @Test("Passes follow each other, and taps stay separate")
    func passes() {
        let timeline = Timeline(.heavy, passes: 3)
        #expect(timeline.total == .seconds(3))
        #expect(timeline.intensity(at: .milliseconds(2100)) == 1)
        #expect(timeline.intensity(at: .milliseconds(2999)) == 0.2)
        #expect(timeline.intensity(at: .seconds(3)) == 0)
        let taps = Timeline(.normal, passes: 2)
        #expect(taps.total == .milliseconds(300))
        #expect(
            [0, 99, 100, 199, 200, 299].map { taps.intensity(at: .milliseconds($0)) } == [
                0.4, 0.4, 0, 0, 0.4, 0.4,
            ])
    }

    @Test("multi repeats its touch at its frequency; a faster frequency than taps can have is reported")
    func series() {
        let slow = Timeline(.multi(frequency: 1), passes: 3)
        #expect(slow.total == .milliseconds(2200) && slow.lost == [])
        #expect(
            [0, 199, 200, 999, 1000].map { slow.intensity(at: .milliseconds($0)) } == [0.7, 0.7, 0, 0, 0.7])
        #expect(Timeline(.multi(frequency: 3), passes: 2).period == .milliseconds(333))
        #expect(Timeline(.multi(frequency: 5), passes: 2).lost == [])
        let fast = Timeline(.multi(frequency: 10), passes: 2)
        #expect(fast.period == Timeline.tapSpacing && fast.lost == [.timing])
        #expect(Timeline(.multi(frequency: 10)).lost == [], "nothing is repeated")
        #expect(Timeline(.multi(frequency: 0), passes: 2).period == .seconds(600))
    }

    @Test("A parameter of intensity is a factor from its time on, and a parameter of sharpness is an offset")
    func parameters() {
        let pattern = Pattern(
            [continuous(0, 1, 0.8)],
            changes: [
                Change(.intensity, time: 0.5, .step(0.5)), Change(.sharpness, time: 0.25, .step(0.9)),
            ])
        #expect(
            Timeline(pattern).steps == [
                step(0, 250, 0.8, 0.5), step(250, 250, 0.8, 1), step(500, 500, 0.4, 1),
            ])
    }

    @Test("A curve is compiled in steps of 10 ms and keeps its last value")
    func curve() {
        let points = [Change.Point(time: 0, value: 0), .init(time: 0.5, value: 1)]
        let timeline = Timeline(
            Pattern([continuous(0, 1, 1)], changes: [Change(.intensity, time: 0.25, .curve(points))]))
        #expect(timeline.intensity(at: .milliseconds(100)) == 1, "nothing is changed before the curve")
        for moment in stride(from: 250, to: 750, by: 10) {
            let wanted = (Double(moment) + 5 - 250) / 500
            #expect(abs(timeline.intensity(at: .milliseconds(moment)) - wanted) < 1e-9)
        }
        #expect(timeline.intensity(at: .milliseconds(900)) == 1)
    }

    @Test("Of simultaneous changes, the last in the file is used, and a newer change ends a curve")
    func order() {
        let points = [Change.Point(time: 0, value: 0), .init(time: 1, value: 1)]
        let pattern = Pattern(
            [continuous(0, 1, 1)],
            changes: [
                Change(.intensity, time: 0, .curve(points)), Change(.intensity, time: 0.5, .step(0.1)),
                Change(.intensity, time: 0.5, .step(0.2)),
            ])
        #expect(Timeline(pattern).intensity(at: .milliseconds(750)) == 0.2)
    }

    @Test("An excessively complex pattern is compiled in limited time", .timeLimit(.minutes(1)))
    func expensive() {
        let points = [Change.Point(time: 0, value: 0), .init(time: 600, value: 1)]
        let pattern = Pattern(
            (0..<1000).map { continuous(Double($0) / 10, 30, Double($0 % 7) / 7) },
            changes: (0..<1000).map { Change(.intensity, time: Double($0) / 1000, .curve(points)) })
        let timeline = Timeline(pattern, passes: 100)
        #expect(timeline.length == .milliseconds(129_900))
        #expect(timeline.steps.count < 20_000)
    }

    @Test("A timeline lists the parts of the pattern that it lacks")
    func lost() {
        let envelope = Envelope(attack: 0.5)
        let event = Event(time: 0, .continuous(duration: 1, envelope: envelope), intensity: 1, sharpness: 0)
        #expect(Timeline(Pattern([event])).lost == [.envelope])
        #expect(Timeline(.heavy).lost == [])
    }
}
