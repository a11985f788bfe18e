/// A write to `c3ff000f` of a TAP with the framed protocol: a command of four bytes, and its arguments.
///
/// Source: `tapsdk/encoder.py` of tap-python-sdk 1.0.0.
enum TapFrameCommand: Hashable, Sendable {
    case set(TapSwitch, Bool)
    case ask(TapSwitch)
    case setVisionMode(TapVisionMode)
    case askVisionMode
    case setVisionModel(TapVisionModel)
    case askVisionModel
    /// The ranges of gyroscope and accelerometer, as codes. The frame does not contain the range of the finger
    /// sensors.
    case setSensitivity(TapSensitivity)
    case askSensitivity
    /// Play a vibration rhythm, in the format of the classic protocol.
    case vibrate([UInt8])
    case keepAlive
    case askStandby
    case setStandby(Bool)

    var bytes: [UInt8] {
        switch self {
        case .set(let feature, let isOn): [0x00, 0x00, 0x00, 0x00, feature.rawValue, isOn ? 1 : 0]
        case .ask(let feature): [0x00, 0x01, 0x00, 0x00, feature.rawValue]
        case .setVisionMode(let mode): [0x01, 0x00, 0x00, 0x00, mode.code]
        case .askVisionMode: [0x01, 0x00, 0x0A, 0x00]
        case .setVisionModel(let model): [0x01, 0x00, 0x01, 0x00, model.code]
        case .askVisionModel: [0x01, 0x00, 0x0B, 0x00]
        case .setSensitivity(let codes): [0x01, 0x01, 0x02, 0x00, codes.gyro, codes.accelerometer]
        case .askSensitivity: [0x01, 0x01, 0x0C, 0x00]
        case .vibrate(let sequence): [0x01, 0x02, 0x03, 0x00] + sequence
        case .keepAlive: [0x02, 0x00, 0x00, 0x00]
        case .askStandby: [0x03, 0x03, 0x00, 0x00]
        case .setStandby(let isOn): [0x03, 0x04, 0x00, 0x00, isOn ? 1 : 0]
        }
    }

    /// What the TAP reports in its answer; nil for a command that the TAP does not answer.
    var answer: TapFrameReport.Topic? {
        switch self {
        case .ask(let feature): .feature(feature)
        case .askVisionMode: .visionMode
        case .askVisionModel: .visionModel
        case .askSensitivity: .sensitivity
        case .askStandby: .standby
        case .set, .setVisionMode, .setVisionModel, .setSensitivity, .vibrate, .keepAlive, .setStandby: nil
        }
    }
}
