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

    @Test("Unknown keys are ignored, numbers clamped, and sound is skipped; all but the first is reported")
    func tolerance() throws {
        let file = try Samples.file(Samples.tolerant)
        #expect(
            file.pattern.events == [
                Event(time: 0, .continuous(duration: 30), intensity: 1, sharpness: 0.5),
                Event(time: 30, .continuous(duration: 15), intensity: 1, sharpness: 0.5),
            ])
        #expect(file.pattern.changes == [Change(.intensity, time: 40, .step(0))])
        #expect(file.hasSound)
        #expect(
            file.remarks == [
                "Pattern[0].Event.Time: -1, changed to 0",
                "Pattern[0].Event.EventParameters[0].ParameterValue: 7, changed to 1",
                "Pattern[0].Event.EventParameters[1]: AudioVolume is for sounds and is not played",
                "Pattern[0].Event.EventParameters[2]: Smell is unknown and ignored",
                "Pattern[1].Event: AudioCustom is a sound and is not played",
                "Pattern[2].Event: AudioContinuous is a sound and is not played",
                "Pattern[3].Parameter: AudioVolumeControl is for sounds and is not played",
                "Pattern[4].Parameter.ParameterValue: -3, changed to 0",
                "Pattern[5]: neither Event nor Parameter nor ParameterCurve, ignored",
            ])
    }

    @Test("A curve with more than 16 points becomes curves that meet", arguments: [16, 17, 20, 31, 32, 100])
    func longCurve(count: Int) throws {
        let points = (0..<count).map { #"{"Time":\#($0),"ParameterValue":\#($0 % 2)}"# }
            .joined(separator: ",")
        let file = try Samples.file(
            #"{"Pattern":[{"Event":{"EventType":"HapticTransient"}},{"ParameterCurve":{"#
                + #""ParameterID":"HapticIntensityControl","ParameterCurveControlPoints":[\#(points)]}}]}"#)
        let curves = file.pattern.changes.map { change -> [Change.Point] in
            if case .curve(let points) = change.shape { points } else { [] }
        }
        #expect(curves.allSatisfy { $0.count <= 16 } && curves.count == (count + 13) / 15)
        #expect(zip(curves, curves.dropFirst()).allSatisfy { $0.last == $1.first })
        #expect(
            curves[0].map(\.time) + curves.dropFirst().flatMap { $0.dropFirst().map(\.time) }
                == (0..<count).map(Double.init))
        #expect(file.remarks == [])
    }

    @Test("One invalid entry is left out and reported; the rest of the file is played")
    func partly() throws {
        let transient = #"{"Event":{"EventType":"HapticTransient","Time":1}}"#
        let entries = [
            (#"{"Event":{"EventType":"HapticTransient","Time":"now"}}"#, #"Event.Time: a number, got "now""#),
            (
                #"{"Event":{"EventType":"HapticContinuous","EventDuration":0}}"#,
                "Event.EventDuration: more than 0 seconds, got 0"
            ),
            (#"{"Event":{"EventType":"HapticContinuous"}}"#, "Event.EventDuration: missing"),
            (
                #"{"ParameterCurve":{"ParameterID":"HapticIntensityControl","ParameterCurveControlPoints":[]}}"#,
                "ParameterCurve.ParameterCurveControlPoints: at least one point"
            ),
        ]
        for (entry, reason) in entries {
            let file = try Samples.file(#"{"Pattern":[\#(entry),\#(transient)]}"#)
            #expect(file.pattern.events.map(\.time) == [1])
            #expect(file.remarks == ["Pattern[0].\(reason); ignored"])
        }
        let parameter = #"{"ParameterID":"HapticIntensity"}"#
        let file = try Samples.file(
            #"{"Pattern":[{"Event":{"EventType":"HapticTransient","EventParameters":[\#(parameter)]}}]}"#)
        #expect(file.pattern.events == [Event(time: 0, .transient, intensity: 1, sharpness: 0.5)])
        #expect(
            file.remarks == [
                "Pattern[0].Event.EventParameters[0].ParameterValue: missing; ignored"
            ])
    }

    @Test("A long event is played to its end, or the part that is not played is reported")
    func longEvents() throws {
        for (time, duration) in [(0, 600), (0, 601), (560, 90), (580, 30), (590, 60), (600, 31), (700, 10)] {
            let file = try Samples.file(
                #"{"Pattern":[{"Event":{"EventType":"HapticContinuous","Time":\#(time),"EventDuration":\#(duration)}}]}"#
            )
            let end = try #require(file.pattern.events.map(\.end).max())
            #expect((end == Double(time + duration)) == file.remarks.isEmpty, "\(time) + \(duration)")
        }
        let file = try Samples.file(
            #"{"Pattern":[{"Event":{"EventType":"HapticContinuous","Time":590,"EventDuration":60}}]}"#)
        #expect(
            file.remarks == [
                "Pattern[0].Event: its last 30 s are not played, because they start after 600 s"
            ])
    }

    @Test("A damaged file has a limited number of remarks")
    func manyRemarks() throws {
        let entries = Array(repeating: "7", count: 500) + [#"{"Event":{"EventType":"HapticTransient"}}"#]
        let file = try Samples.file(#"{"Pattern":[\#(entries.joined(separator: ","))]}"#)
        #expect(file.remarks.count == 21 && file.remarks.last == "480 more remarks like these")
    }

    @Test("The points of a curve are in order, which is reported where it is changed")
    func pointOrder() throws {
        let file = try Samples.file(
            #"{"Pattern":[{"Event":{"EventType":"HapticTransient"}},{"ParameterCurve":{"#
                + #""ParameterID":"HapticIntensityControl","ParameterCurveControlPoints":["#
                + #"{"Time":1,"ParameterValue":1},{"Time":0.5,"ParameterValue":0}]}}]}"#)
        #expect(
            file.pattern.changes == [
                Change(.intensity, time: 0, .curve([.init(time: 1, value: 1), .init(time: 1, value: 0)]))
            ])
        #expect(file.remarks.count == 1)
    }

    @Test(
        "Byte-order marks, UTF-16 and trailing commas are accepted",
        arguments: [
            Array(Samples.commas.utf8), [0xEF, 0xBB, 0xBF] + Array(Samples.commas.utf8),
            Samples.utf16(Samples.commas, isBigEndian: true),
            Samples.utf16(Samples.commas, isBigEndian: false),
            Samples.utf16("\u{FEFF}" + Samples.commas, isBigEndian: true),
            Samples.utf16("\u{FEFF}" + Samples.commas, isBigEndian: false),
        ])
    func encodings(bytes: [UInt8]) throws {
        let file = try AHAPFile(parsing: bytes)
        #expect(file.pattern.events.map(\.time) == [0, 0.5] && file.remarks == [])
        #expect(file.pattern.metadata == ["Project": "Fünf"])
    }

    @Test("Half a character of UTF-16 is rejected")
    func halfCharacter() {
        let error = #expect(throws: HapticsError.self) { try AHAPFile(parsing: [0xFE, 0xFF, 0x00]) }
        #expect(error?.description == "the file: not valid UTF-16")
    }

    @Test(
        "Invalid values are rejected with their location",
        arguments: [
            ("[]", "the top level: an object, got an array"),
            ("{}", "Pattern: missing"),
            (#"{"Pattern":{}}"#, "Pattern: an array, got {}"),
            (#"{"Pattern":[]}"#, "Pattern: contains no haptic event"),
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
                #"{"Pattern":[{"Event":{"EventType":"HapticContinuous"}}]}"#,
                "Pattern[0].Event.EventDuration: missing"
            ),
            (
                #"{"Pattern":[{"Event":{"EventType":"HapticContinuous","EventDuration":0}}]}"#,
                "Pattern[0].Event.EventDuration: more than 0 seconds, got 0"
            ),
            (
                #"{"Pattern":[{"ParameterCurve":{"ParameterID":"HapticIntensityControl","ParameterCurveControlPoints":[]}}]}"#,
                "Pattern[0].ParameterCurve.ParameterCurveControlPoints: at least one point"
            ),
            (
                #"{"Pattern":[{"Event":"#,
                "Pattern[0].Event: not valid JSON: the text ends where a value is expected, at byte 21"
            ),
            ("", "byte 0: not valid JSON: the text ends where a value is expected, at byte 0"),
        ])
    func refused(text: String, words: String) throws {
        let error = #expect(throws: HapticsError.self) { try Samples.file(text) }
        #expect(error?.description == words)
    }
}
