import Haptics
import Testing

@Suite("Places and mixtures of patterns")
struct PlaceTests {
    private func event(_ time: Double, _ duration: Double, _ intensity: Double, at degrees: Int? = nil)
        -> Event
    {
        Event(
            time: time, .continuous(duration: duration), intensity: intensity, sharpness: 0.5,
            at: degrees.map { Position(degrees: $0) })
    }

    private func step(_ start: Int, _ length: Int, _ intensity: Double, _ degrees: Int? = nil)
        -> Timeline.Step
    {
        Timeline.Step(
            start: .milliseconds(start), length: .milliseconds(length), intensity: intensity, sharpness: 0.5,
            at: degrees.map { .position(Position(degrees: $0)) } ?? .whole)
    }

    @Test("Positions are degrees from 0 to 359", arguments: [(0, 0), (359, 359), (360, 0), (-90, 270)])
    func degrees(given: Int, kept: Int) { #expect(Position(degrees: given).degrees == kept) }

    @Test("Each position has its steps; a device with one place shows the strongest")
    func lanes() {
        let timeline = Timeline(Pattern([event(0, 0.4, 0.5, at: 270), event(0.2, 0.4, 1, at: 90)]))
        #expect(timeline.hasPositions && timeline.lost == [])
        #expect(timeline.lanes.map(\.steps) == [[step(0, 400, 0.5, 270)], [step(200, 400, 1, 90)]])
        #expect(timeline.steps == [step(0, 200, 0.5, 270), step(200, 400, 1, 90)])
        #expect(timeline.length == .milliseconds(600))
        let joined = timeline.placed { _ in .whole }
        #expect(
            joined.lanes.map(\.steps) == [[step(0, 200, 0.5), step(200, 400, 1)]] && !joined.hasPositions)
    }

    @Test("In a mixture, the stronger is felt at each place, and the older pattern continues")
    func mixture() throws {
        let older = Timeline(Pattern([event(0, 1, 0.4), event(0, 1, 0.3, at: 90)]))
        let newer = Timeline(Pattern([event(0.1, 0.2, 0.9)]))
        let mixed = try #require(
            newer.mixed(after: .milliseconds(50), with: older, startingAfter: .milliseconds(-500)))
        #expect(
            mixed.lanes.map(\.steps) == [
                [step(0, 150, 0.4), step(150, 200, 0.9), step(350, 150, 0.4)], [step(0, 500, 0.3, 90)],
            ])
        #expect(mixed.total == .milliseconds(500) && mixed.passes == 1)
    }

    @Test("A mixture contains the remaining repetitions of both")
    func repetitions() throws {
        let older = Timeline(Pattern([event(0, 0.1, 0.4)]), passes: 5)
        let newer = Timeline(Pattern([event(0, 0.1, 0.2), event(0.2, 0.1, 1)]), passes: 2)
        let mixed = try #require(newer.mixed(after: .zero, with: older, startingAfter: .milliseconds(-350)))
        #expect(
            mixed.steps == [
                step(0, 150, 0.4), step(200, 100, 1), step(300, 100, 0.2), step(500, 100, 1),
            ])
    }

    @Test("A tap that has started is not repeated; patterns with too many steps are not mixed")
    func limits() throws {
        let tap = Timeline(Pattern([Event(time: 0, .transient, intensity: 1, sharpness: 1)]))
        let quiet = Timeline(Pattern([event(0, 0.5, 0.1)]))
        let mixed = try #require(quiet.mixed(after: .zero, with: tap, startingAfter: .milliseconds(-40)))
        #expect(mixed.steps == [step(0, 500, 0.1)])
        let long = Timeline(
            Pattern((0..<200).map { event(Double($0) / 5, 0.1, 1) }), passes: 100)
        #expect(quiet.mixed(after: .zero, with: long, startingAfter: .zero) == nil)
    }

    private func tap(_ time: Double, _ intensity: Double = 1, at degrees: Int? = nil) -> Event {
        Event(
            time: time, .transient, intensity: intensity, sharpness: 0.9,
            at: degrees.map { Position(degrees: $0) })
    }

    @Test("A device with one place separates the taps of all places, or reports the timing")
    func tapsAtPlaces() {
        let close = Timeline(Pattern([tap(0, at: 270), tap(0.03, at: 90)]))
        #expect(close.lost == [] && close.lostAtOnePlace == [.timing])
        #expect(close.placed { _ in .whole }.lost == [.timing])
        let apart = Timeline(Pattern([tap(0, at: 270), tap(0.06, at: 90)]))
        #expect(apart.lostAtOnePlace == [] && apart.placed { _ in .whole }.lost == [])
        #expect(apart.steps.map(\.length) == [.milliseconds(30), .milliseconds(50)])
        #expect(apart.lanes.map { $0.steps.map(\.length) } == [[.milliseconds(50)], [.milliseconds(50)]])
    }

    @Test(
        "A tap that is not felt in a mixture is reported",
        arguments: [(0.5, 0.3, []), (0.5, 0.55, [.timing]), (0.5, 0.9, [.timing])]
            as [(Double, Double, Set<Loss>)])
    func hiddenTaps(taps: Double, vibration: Double, lost: Set<Loss>) throws {
        let row = Timeline(Pattern((0..<4).map { tap(Double($0) / 5, taps) }))
        let hum = Timeline(Pattern([event(0, 2, vibration)]))
        #expect(try #require(row.mixed(after: .zero, with: hum, startingAfter: .seconds(-1))).lost == lost)
        #expect(
            try #require(hum.mixed(after: .zero, with: row, startingAfter: .milliseconds(-100))).lost == lost)
    }
}
