import DeviceKit
import JSON

extension TapFamily {
    static let sensingFeatures = [sensing.feature, sensitivity.feature, standby.feature]

    static let sensing = FeatureHandle<TapSensing, TapSensing>(
        "sensing",
        "The active functions of a TAP with the framed protocol, instead of an input mode. The bridge maintains them "
            + "and switches them all off when it exits.",
        says: .state(
            [
                .optional("detection", \.detection, .boolean, "Whether taps and gestures are detected."),
                .optional("motion", \.motion, .boolean, "Whether mouse motion is reported."),
                .optional("raw", \.raw, .boolean, "Whether the raw sensor values are reported."),
                .optional("triggers", \.triggers, .boolean, "Reserved by the maker."),
                .optional(
                    "standby_gesture", \.standbyGesture, .boolean,
                    "Whether a gesture sends the TAP to standby and back."),
                .optional("vision_mode", \.visionMode, .choice, "The times when the camera is active."),
                .optional("vision_model", \.visionModel, .choice, "The target that the camera detects."),
            ], example: .example),
        takes: Taking(
            TapSensing(),
            [
                .field("detection", \.detection, .boolean, "Detects taps and gestures."),
                .field("motion", \.motion, .boolean, "Reports mouse motion."),
                .field("raw", \.raw, .boolean, "Reports the raw sensor values."),
                .field("triggers", \.triggers, .boolean, "Reserved by the maker."),
                .field(
                    "standby_gesture", \.standbyGesture, .boolean,
                    "Lets a gesture send the TAP to standby and back."),
                .field(
                    "vision_mode", \.visionMode, .choice,
                    "The times when the camera is active: at a trigger, in a stream after a trigger, or always."
                ),
                .field(
                    "vision_model", \.visionModel, .choice,
                    "The target of the camera: taps, or gestures in the air."
                ),
            ],
            rules: [
                .atLeastOne([
                    \.detection, \.motion, \.raw, \.triggers, \.standbyGesture, \.visionMode, \.visionModel,
                ])
            ],
            example: .object(TapSensing(visionMode: .stream, visionModel: .airGesture))))

    /// The ranges of the raw sensors, as codes, as they are published and commanded.
    struct Codes: Hashable, Sendable {
        var fingers: UInt8?
        var gyro: UInt8?
        var accelerometer: UInt8?
    }

    static let sensitivity = FeatureHandle<Codes, Codes>(
        "sensitivity",
        "The current ranges of the raw sensors: always with the framed protocol, for other TAPs only in raw mode.",
        says: .state(
            [
                .optional(
                    "fingers", \.fingers, .integer(TapSensitivity.fingerCodes),
                    "Finger accelerometers: 1 to 4 for 2, 4, 8 and 16 g, 0 for the device's default; not in the "
                        + "framed protocol."),
                .optional(
                    "gyro", \.gyro, .integer(TapSensitivity.gyroCodes),
                    "Gyroscope: 1 to 5 for 125, 250, 500, 1000 and 2000 degrees a second, 0 for the default."),
                .optional(
                    "accelerometer", \.accelerometer, .integer(TapSensitivity.accelerometerCodes),
                    "Thumb unit's accelerometer: 1 to 4 for 2, 4, 8 and 16 g, 0 for the default."),
            ], example: Codes(fingers: 1, gyro: 2, accelerometer: 3)),
        takes: Taking(
            Codes(),
            [
                .field(
                    "fingers", \.fingers, .integer(TapSensitivity.fingerCodes),
                    "Finger accelerometers, as published; not in the framed protocol."),
                .field("gyro", \.gyro, .integer(TapSensitivity.gyroCodes), "Gyroscope, as published."),
                .field(
                    "accelerometer", \.accelerometer, .integer(TapSensitivity.accelerometerCodes),
                    "Thumb unit's accelerometer, as published."),
            ],
            rules: [.atLeastOne([\.fingers, \.gyro, \.accelerometer])],
            example: .object(Codes(gyro: 5, accelerometer: 4))))

    static let standby = FeatureHandle<Bool, OneArgument<Bool>>(
        "standby", "Whether a TAP with the framed protocol is in standby.",
        says: .state(.boolean, example: false),
        takes: .one("standby", false, .boolean, "Sends it to standby, or wakes it.", example: true))
}

/// Which functions of a TAP with the framed protocol are on; nil for a function whose state is not known or not
/// requested.
struct TapSensing: Hashable, Sendable {
    var detection: Bool?
    var motion: Bool?
    var raw: Bool?
    var triggers: Bool?
    var standbyGesture: Bool?
    var visionMode: TapVisionMode?
    var visionModel: TapVisionModel?

    static let example = Self(
        detection: true, motion: true, raw: false, triggers: false, standbyGesture: false,
        visionMode: .trigger,
        visionModel: .tapping)

    /// The state in which all functions are off.
    static let off = Self(detection: false, motion: false, raw: false, triggers: false, standbyGesture: false)

    /// The initial functions of a framed TAP, equivalent to an input mode of a classic TAP.
    init(mode: TapInputMode) {
        self = .off
        switch mode {
        case .text: break
        case .raw: raw = true
        // These are the functions of the maker's example, plus mouse motion, which the classic controller mode reports
        // too.
        case .controller, .controllerMouseHID, .controllerFullHID:
            (detection, motion) = (true, true)
            (visionMode, visionModel) = (.trigger, .tapping)
        }
    }

    init(
        detection: Bool? = nil, motion: Bool? = nil, raw: Bool? = nil, triggers: Bool? = nil,
        standbyGesture: Bool? = nil, visionMode: TapVisionMode? = nil, visionModel: TapVisionModel? = nil
    ) {
        (self.detection, self.motion, self.raw) = (detection, motion, raw)
        (self.triggers, self.standbyGesture) = (triggers, standbyGesture)
        (self.visionMode, self.visionModel) = (visionMode, visionModel)
    }

    /// Whether a function is on; nil if its state is unknown.
    subscript(feature: TapSwitch) -> Bool? {
        get {
            switch feature {
            case .detection: detection
            case .motion: motion
            case .raw: raw
            case .triggers: triggers
            case .standbyGesture: standbyGesture
            }
        }
        set {
            switch feature {
            case .detection: detection = newValue
            case .motion: motion = newValue
            case .raw: raw = newValue
            case .triggers: triggers = newValue
            case .standbyGesture: standbyGesture = newValue
            }
        }
    }

    /// The commands that set these functions, switches first.
    var commands: [TapFrameCommand] {
        TapSwitch.allCases.compactMap { feature in self[feature].map { .set(feature, $0) } }
            + (visionModel.map { [.setVisionModel($0)] } ?? [])
            + (visionMode.map { [.setVisionMode($0)] } ?? [])
    }

    /// The commands that ask the TAP for the state of these functions.
    var questions: [TapFrameCommand] {
        TapSwitch.allCases.compactMap { feature in self[feature].map { _ in .ask(feature) } }
            + (visionModel.map { _ in [.askVisionModel] } ?? [])
            + (visionMode.map { _ in [.askVisionMode] } ?? [])
    }

    /// Takes over the values of another instance, except those that are nil there.
    mutating func take(_ other: Self) {
        for feature in TapSwitch.allCases { self[feature] = other[feature] ?? self[feature] }
        visionMode = other.visionMode ?? visionMode
        visionModel = other.visionModel ?? visionModel
    }

    /// Returns a description of the first function whose reported state differs from the requested state; nil if there
    /// is none.
    func contradiction(to asked: Self) -> String? {
        for feature in TapSwitch.allCases where asked[feature] != nil && asked[feature] != self[feature] {
            return "\(feature.name) \(self[feature].map { "\($0)" } ?? "unknown")"
        }
        if let model = asked.visionModel, model != visionModel {
            return "vision_model \(visionModel?.name ?? "unknown")"
        }
        if let mode = asked.visionMode, mode != visionMode {
            return "vision_mode \(visionMode?.name ?? "unknown")"
        }
        return nil
    }
}
