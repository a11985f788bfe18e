import Haptics
import JSON

/// Files in the style of designers, created for these tests.
enum Samples {
    /// All supported keys, in the order that the bridge writes, so that the file is reproduced byte for byte.
    static let full = """
        {"Version":1,"Metadata":{"Project":"Tests","Tags":["a",1,null]},"Pattern":[\
        {"Event":{"Time":0,"EventType":"HapticTransient","EventParameters":[\
        {"ParameterID":"HapticIntensity","ParameterValue":0.8},{"ParameterID":"HapticSharpness","ParameterValue":0.4}]}},\
        {"Event":{"Time":0.25,"EventType":"HapticContinuous","EventDuration":1.5,"EventParameters":[\
        {"ParameterID":"HapticIntensity","ParameterValue":0.6},{"ParameterID":"HapticSharpness","ParameterValue":0.1},\
        {"ParameterID":"AttackTime","ParameterValue":0.1},{"ParameterID":"DecayTime","ParameterValue":0.2},\
        {"ParameterID":"ReleaseTime","ParameterValue":0.3},{"ParameterID":"Sustained","ParameterValue":0}]}},\
        {"Parameter":{"ParameterID":"HapticSharpnessControl","Time":0.5,"ParameterValue":-0.25}},\
        {"ParameterCurve":{"ParameterID":"HapticIntensityControl","Time":0.25,"ParameterCurveControlPoints":[\
        {"Time":0,"ParameterValue":0.2},{"Time":0.75,"ParameterValue":1},{"Time":1.5,"ParameterValue":0}]}}]}
        """

    /// The smallest valid file.
    static let minimal = #"{"Pattern":[{"Event":{"EventType":"HapticTransient"}}]}"#

    /// Sound, unknown keys, and numbers out of range.
    static let tolerant = """
        { "Version" : 1, "Colour" : "red", "Pattern" : [
            { "Event" : { "Time" : -1, "EventType" : "HapticContinuous", "EventDuration" : 45, "Extra" : {},
                "EventParameters" : [
                    { "ParameterID" : "HapticIntensity", "ParameterValue" : 7, "Extra" : 1 },
                    { "ParameterID" : "AudioVolume", "ParameterValue" : 0.5 },
                    { "ParameterID" : "Smell", "ParameterValue" : 0.5 } ] } },
            { "Event" : { "Time" : 0.5, "EventType" : "AudioCustom", "EventWaveformPath" : "bang.caf" } },
            { "Event" : { "Time" : 0.5, "EventType" : "AudioContinuous", "EventDuration" : 1 } },
            { "Parameter" : { "ParameterID" : "AudioVolumeControl", "ParameterValue" : 0.5, "Time" : 0 } },
            { "Parameter" : { "ParameterID" : "HapticIntensityControl", "ParameterValue" : -3, "Time" : 40 } },
            { "Something" : 1 } ] }
        """

    /// Two events as Apple's samples separate them, and a character that is not of ASCII.
    static let commas = """
        { "Metadata": { "Project": "Fünf", }, "Pattern": [
            { "Event": { "Time": 0, "EventType": "HapticTransient", "EventParameters": [], }, },
            { "Event": { "Time": 0.5, "EventType": "HapticTransient" } }, ], }
        """

    static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBigEndian ? bytes : bytes.reversed()
        }
    }

    static let all = [full, minimal, tolerant]

    static func file(_ text: String) throws(HapticsError) -> AHAPFile {
        try AHAPFile(parsing: Array(text.utf8))
    }
}

/// A generator of numbers that are the same in every run.
struct RandomSource: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

extension RandomSource {
    /// A random pattern that a file can contain.
    mutating func pattern() -> Pattern {
        var pattern = Pattern((0..<Int.random(in: 1...8, using: &self)).map { _ in event() })
        pattern.changes = (0..<Int.random(in: 0...4, using: &self)).map { _ in change() }
        if Bool.random(using: &self) {
            pattern.metadata = ["Number": .integer(Int.random(in: 0...9, using: &self))]
        }
        return pattern
    }

    private mutating func unit() -> Double {
        [0, 1, Double.random(in: 0...1, using: &self)].randomElement(using: &self) ?? 0
    }

    private mutating func perhaps() -> Double? { Bool.random(using: &self) ? unit() : nil }

    private mutating func event() -> Event {
        let envelope = Envelope(
            attack: perhaps(), decay: perhaps(), release: perhaps(),
            isSustained: [nil, true, false].randomElement(using: &self) ?? nil)
        let kind: Event.Kind =
            Bool.random(using: &self)
            ? .transient
            : .continuous(duration: Double.random(in: 0.001...30, using: &self), envelope: envelope)
        return Event(
            time: Double.random(in: 0...600, using: &self), kind, intensity: unit(), sharpness: unit(),
            at: Bool.random(using: &self) ? Position(degrees: Int.random(in: 0..<360, using: &self)) : nil)
    }

    private mutating func change() -> Change {
        let control = Control.allCases.randomElement(using: &self) ?? .intensity
        let time = Double.random(in: 0...600, using: &self)
        guard Bool.random(using: &self) else {
            return Change(control, time: time, .step(Double.random(in: control.range, using: &self)))
        }
        let times = (0..<Int.random(in: 1...16, using: &self))
            .map { _ in Double.random(in: 0...60, using: &self) }.sorted()
        let points = times.map { time in
            Change.Point(time: time, value: Double.random(in: control.range, using: &self))
        }
        return Change(control, time: time, .curve(points))
    }
}
