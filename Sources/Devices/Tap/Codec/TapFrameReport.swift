import DeviceKit

/// A notification of `c3ff000e` from a TAP with the framed protocol.
///
/// Source: `tapsdk/parsers.py` of tap-python-sdk 1.0.0.
enum TapFrameReport: Hashable, Sendable {
    /// The subject of a report, by which a question and its answer are matched. It is not an MQTT topic.
    enum Topic: Hashable, Sendable {
        case feature(TapSwitch)
        case visionMode
        case visionModel
        case sensitivity
        case standby
    }

    case motion(TapMouseReport)
    /// Raw measurements, in counts.
    case raw([TapRawMessage])
    case tap(TapReport)
    case gesture(TapAirGesture)
    case standby(Bool)
    case feature(TapSwitch, isOn: Bool)
    case visionMode(TapVisionMode)
    case visionModel(TapVisionModel)
    /// The ranges of gyroscope and accelerometer. The frame does not contain the range of the finger sensors.
    case sensitivity(TapSensitivity)
    /// The vibration rhythm that plays or was played last, in the bytes that a client wrote.
    case haptic([UInt8])

    private static let head = 4

    /// Decodes a frame; nil for a frame that no source documents, and for a frame that is too short. The third and
    /// fourth byte are ignored.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.head else { return nil }
        let payload = Array(bytes[Self.head...])
        switch (bytes[0], bytes[1]) {
        case (0x00, 0x00):
            guard let report = TapMouseReport(payload) else { return nil }
            self = .motion(report)
        case (0x00, 0x01): self = .raw(TapRawFrame.messages(payload))
        case (0x01, 0x02):
            // The meaning of the bytes after the combination is unknown: they do not contain the keyboard's state.
            guard let report = TapReport(Array(payload.prefix(1))) else { return nil }
            self = .tap(report)
        case (0x01, 0x03):
            guard let gesture = payload.first.flatMap({ TapAirGesture(code: $0) }) else { return nil }
            self = .gesture(gesture)
        case (0x02, _):
            guard let state = payload.first else { return nil }
            self = .standby(state == 1)
        case (0x03, let setting):
            guard let report = Self(setting: setting, payload) else { return nil }
            self = report
        default: return nil
        }
    }

    private init?(setting: UInt8, _ payload: [UInt8]) {
        switch setting {
        case 0x00:
            guard payload.count >= 2, let feature = TapSwitch(rawValue: payload[0]) else { return nil }
            self = .feature(feature, isOn: payload[1] == 1)
        case 0x01:
            guard let mode = payload.first.flatMap({ TapVisionMode(code: $0) }) else { return nil }
            self = .visionMode(mode)
        case 0x02:
            guard let model = payload.first.flatMap({ TapVisionModel(code: $0) }) else { return nil }
            self = .visionModel(model)
        case 0x03:
            guard payload.count >= 2 else { return nil }
            self = .sensitivity(TapSensitivity(codes: 0, payload[0], payload[1]))
        case 0x04: self = .haptic(payload)
        default: return nil
        }
    }

    /// The subject of a report that can answer a question; nil for other reports.
    var topic: Topic? {
        switch self {
        case .feature(let feature, _): .feature(feature)
        case .visionMode: .visionMode
        case .visionModel: .visionModel
        case .sensitivity: .sensitivity
        case .standby: .standby
        case .motion, .raw, .tap, .gesture, .haptic: nil
        }
    }
}
