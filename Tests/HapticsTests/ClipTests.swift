import Haptics
import JSON
import Testing

@Suite("Haptic clips")
struct ClipTests {
    /// A signal that rises for a second and falls for another, with an emphasis at its peak and one at its end.
    private static let text = """
        {"version":{"major":1,"minor":0,"patch":0},"metadata":{"editor":"tests","description":"A swell"},
        "signals":{"continuous":{"envelopes":{
        "amplitude":[{"time":0,"amplitude":0},
            {"time":1,"amplitude":0.25,"emphasis":{"amplitude":0.81,"frequency":0.7}},
            {"time":2,"amplitude":0.04,"emphasis":{"amplitude":0,"frequency":0}}],
        "frequency":[{"time":0,"frequency":0.09},{"time":2,"frequency":0.09}]}}}}
        """

    private func clip(_ text: String) throws(HapticsError) -> AHAPFile {
        try AHAPFile(parsingClip: Array(text.utf8))
    }

    private func clip(amplitude: String, frequency: String = "null") throws(HapticsError) -> AHAPFile {
        try clip(
            #"{"version":{"major":1},"signals":{"continuous":{"envelopes":{"amplitude":\#(amplitude),"#
                + #""frequency":\#(frequency)}}}}"#)
    }

    @Test("Amplitude and frequency are a vibration with curves, and an emphasis is a tap")
    func curves() throws {
        let file = try clip(Self.text)
        #expect(file.remarks == [] && file.pattern.metadata == ["Description": "A swell"])
        let timeline = Timeline(file.pattern)
        #expect(
            timeline.length == .milliseconds(2100) && timeline.lost == [])
        // Intensity is the square root of amplitude; at an emphasis, the signal has 80 % of it: 0.5 x 0.8.
        #expect(abs(timeline.intensity(at: .milliseconds(500)) - 0.2) < 0.003)
        #expect(abs(timeline.intensity(at: .milliseconds(999)) - 0.4) < 0.003)
        #expect(timeline.intensity(at: .milliseconds(1000)) == 0.9)
        #expect(timeline.intensity(at: .milliseconds(1049)) == 0.9)
        // From 0.4 at 1 s to 0.2 x 0.8 at 2 s.
        #expect(abs(timeline.intensity(at: .milliseconds(1500)) - 0.28) < 0.003)
        let tap = try #require(timeline.steps.first { $0.tap != nil })
        #expect(tap.start == .seconds(1) && tap.length == .milliseconds(50) && tap.sharpness == 0.7)
        #expect(timeline.steps.filter { $0.tap == nil }.allSatisfy { abs($0.sharpness - 0.3) < 1e-9 })
    }

    @Test("A clip is the same after it is written as AHAP")
    func written() throws {
        let pattern = try clip(Self.text).pattern
        #expect(try AHAPFile(parsing: Array(pattern.ahap.utf8)).pattern == pattern)
    }

    @Test("A clip with emphasis only is taps")
    func taps() throws {
        let file = try clip(
            amplitude: #"[{"time":0.5,"amplitude":0,"emphasis":{"amplitude":1,"frequency":1}},"#
                + #"{"time":0.9,"amplitude":0,"emphasis":{"amplitude":0.25,"frequency":0}}]"#)
        let steps = Timeline(file.pattern).steps
        #expect(steps.map(\.tap) == [.short, .long] && steps.map(\.intensity) == [1, 0.5])
        #expect(steps.map(\.start) == [.milliseconds(500), .milliseconds(900)])
    }

    @Test("A long clip with many points is neither cut nor simplified")
    func long() throws {
        let points = (0...4000).map {
            #"{"time":\#(Double($0) / 100),"amplitude":\#($0.isMultiple(of: 2) ? 1 : 0.25)}"#
        }
        let file = try clip(amplitude: "[\(points.joined(separator: ","))]")
        let timeline = Timeline(file.pattern)
        #expect(timeline.length == .seconds(40) && file.remarks == [])
        #expect(file.pattern.events.count == 2)
        #expect(try AHAPFile(AHAPFile.value(of: file.pattern)).pattern == file.pattern)
    }

    @Test("Numbers out of range and points out of order are changed and reported")
    func changed() throws {
        let file = try clip(
            amplitude: #"[{"time":0,"amplitude":4},{"time":1,"amplitude":1},{"time":0.5,"amplitude":0}]"#)
        #expect(
            file.remarks == [
                "signals.continuous.envelopes.amplitude[0].amplitude: 4, changed to 1",
                "signals.continuous.envelopes.amplitude[2].time: 0.5, changed to 1",
            ])
    }

    @Test(
        "An invalid clip is rejected with the location",
        arguments: [
            ("[]", "the top level: an object, got an array"),
            ("{}", "version: missing"), (#"{"version":{"major":2}}"#, "version.major: 1, got 2"),
            (#"{"version":{"major":1}}"#, "signals: missing"),
            (
                #"{"version":{"major":1},"signals":{"continuous":{"envelopes":{"amplitude":[]}}}}"#,
                "signals.continuous.envelopes.amplitude: at least one point"
            ),
            (
                #"{"version":{"major":1},"signals":{"continuous":{"envelopes":{"amplitude":[{"time":0}]}}}}"#,
                "signals.continuous.envelopes.amplitude[0].amplitude: missing"
            ),
            (
                #"{"version":{"major":1},"signals":{"continuous":{"envelopes":{"amplitude":[{"time":0,"amplitude":1}]}}}}"#,
                "signals: contains no vibration"
            ),
        ])
    func refused(text: String, words: String) {
        let error = #expect(throws: HapticsError.self) { try clip(text) }
        #expect(error?.description == words)
    }
}
