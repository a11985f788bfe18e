import Haptics
import JSON
import Testing

@Suite("AHAP files")
struct AHAPTests {
    @Test("A file with all supported keys is reproduced byte for byte")
    func identity() throws {
        let file = try Samples.file(Samples.full)
        #expect(file.remarks == [])
        #expect(AHAPFile.value(of: file.pattern).description == Samples.full)
    }

    @Test("The model contains the contents of the file")
    func content() throws {
        let pattern = try Samples.file(Samples.full).pattern
        let envelope = Envelope(attack: 0.1, decay: 0.2, release: 0.3, isSustained: false)
        #expect(
            pattern.events == [
                Event(time: 0, .transient, intensity: 0.8, sharpness: 0.4),
                Event(
                    time: 0.25, .continuous(duration: 1.5, envelope: envelope), intensity: 0.6, sharpness: 0.1
                ),
            ])
        #expect(
            pattern.changes == [
                Change(.sharpness, time: 0.5, .step(-0.25)),
                Change(
                    .intensity, time: 0.25,
                    .curve([
                        .init(time: 0, value: 0.2), .init(time: 0.75, value: 1), .init(time: 1.5, value: 0),
                    ])),
            ])
        #expect(pattern.metadata?["Project"] == "Tests")
    }

    @Test("Absent values have their defaults")
    func defaults() throws {
        let events = try Samples.file(Samples.minimal).pattern.events
        #expect(events == [Event(time: 0, .transient, intensity: 1, sharpness: 0.5)])
    }

    @Test("Unknown keys are ignored, numbers clamped, and sound is skipped and reported")
    func tolerance() throws {
        let file = try Samples.file(Samples.tolerant)
        #expect(
            file.pattern.events == [
                Event(time: 0, .continuous(duration: 30), intensity: 1, sharpness: 0.5)
            ])
        #expect(file.pattern.changes == [Change(.intensity, time: 40, .step(0))])
        #expect(file.hasSound)
        #expect(
            file.remarks == [
                "Pattern[0].Event.EventDuration: 45 s, cut to 30 s",
                "Pattern[0].Event.EventParameters[1]: AudioVolume is of sound, not played",
                "Pattern[0].Event.EventParameters[2]: Smell is not known, passed over",
                "Pattern[1].Event: AudioCustom is sound, not played",
                "Pattern[2].Event: AudioContinuous is sound, not played",
                "Pattern[3].Parameter: AudioVolumeControl is of sound, not played",
                "Pattern[5]: neither Event nor Parameter nor ParameterCurve, passed over",
            ])
    }

    @Test("A curve with more than 16 points is truncated, which is reported")
    func longCurve() throws {
        let points = (0..<20).map { #"{"Time":\#($0),"ParameterValue":0.5}"# }.joined(separator: ",")
        let file = try Samples.file(
            #"{"Pattern":[{"Event":{"EventType":"HapticTransient"}},{"ParameterCurve":{"#
                + #""ParameterID":"HapticIntensityControl","ParameterCurveControlPoints":[\#(points)]}}]}"#)
        guard case .curve(let kept) = file.pattern.changes.first?.shape else {
            Issue.record("no curve")
            return
        }
        #expect(kept.count == 16)
        #expect(file.remarks.count == 1)
    }

    private static let event = #""EventType":"HapticContinuous","EventDuration":1"#

    @Test(
        "Invalid values are rejected with their location",
        arguments: [
            ("[]", "the top level: an object, got an array"),
            ("{}", "Pattern: missing"),
            (#"{"Pattern":{}}"#, "Pattern: an array, got {}"),
            (#"{"Pattern":[]}"#, "Pattern: holds no haptic event"),
            (#"{"Pattern":[1]}"#, "Pattern[0]: an object, got 1"),
            (#"{"Version":"1","Pattern":[]}"#, #"Version: a number, got "1""#),
            (#"{"Pattern":[{"Event":{}}]}"#, "Pattern[0].Event.EventType: missing"),
            (
                #"{"Pattern":[{"Event":{"EventType":"Smell"}}]}"#,
                "Pattern[0].Event.EventType: one of HapticTransient HapticContinuous AudioContinuous AudioCustom,"
                    + #" got "Smell""#
            ),
            (
                #"{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":"now"}}]}"#,
                #"Pattern[0].Event.Time: a number, got "now""#
            ),
            (
                #"{"Pattern":[{"Event":{"EventType":"HapticTransient","Time":601}}]}"#,
                "Pattern[0].Event.Time: at most 600 s, got 601"
            ),
            (
                #"{"Pattern":[{"Event":{"EventType":"HapticContinuous"}}]}"#,
                "Pattern[0].Event.EventDuration: missing"
            ),
            (
                #"{"Pattern":[{"Event":{"EventType":"HapticContinuous","EventDuration":0}}]}"#,
                "Pattern[0].Event.EventDuration: more than 0 seconds, got 0"
            ),
            (
                #"{"Pattern":[{"Event":{\#(event),"EventParameters":[{"ParameterID":"HapticIntensity"}]}}]}"#,
                "Pattern[0].Event.EventParameters[0].ParameterValue: missing"
            ),
            (
                #"{"Pattern":[{"ParameterCurve":{"ParameterID":"HapticIntensityControl","ParameterCurveControlPoints":[]}}]}"#,
                "Pattern[0].ParameterCurve.ParameterCurveControlPoints: at least one point"
            ),
            (
                #"{"Pattern":[{"Event":"#,
                "Pattern[0].Event: not valid JSON: the text ends where a value should stand, at byte 21"
            ),
            ("", "byte 0: not valid JSON: the text ends where a value should stand, at byte 0"),
        ])
    func refused(text: String, words: String) throws {
        let error = #expect(throws: HapticsError.self) { try Samples.file(text) }
        #expect(error?.description == words)
    }
}
