import DeviceKit

/// A request about the belt's parameters or mode, written to `FE05`.
///
/// Sources: `FSCommandManager` (iOS), `BeltCommunicationController` (Android), `belt_controller.py` (Python). The
/// sources differ only in the lengths of some packets; decoding accepts the lengths of all sources.
enum BeltParameterRequest: Hashable, Sendable {
    /// Request a value.
    case read(BeltParameter)
    /// Change the mode. The new mode takes effect when the belt notifies it.
    case setMode(BeltMode)
    /// Change the default intensity in percent, with an optional vibration as feedback.
    case setIntensity(UInt8, feedback: Bool)
    /// Change the heading offset in degrees, with the basic request, which older firmware requires.
    case setBasicHeadingOffset(UInt16)
    /// Change the heading offset in degrees, until power-off or permanently.
    case setHeadingOffset(UInt16, persist: Bool)
    /// Change the modes in which an inaccurate orientation is signaled.
    case setAccuracySignal(BeltAccuracySignal, persist: Bool)
    /// Change the front range. The packet contains the persistence byte 2, as in FSLib-iOS.
    case setFrontRange(BeltFrontRange)
    /// Change the period of orientation notifications, in milliseconds.
    case setOrientationPeriod(UInt16)
    /// Change whether clients must be paired.
    case setPairingRequired(Bool, persist: Bool)
    /// Change the suffix of the Bluetooth name; at most 18 bytes.
    case rename([UInt8])
    /// Reset parameters, the Bluetooth module or the sensors.
    case reset(parameters: Bool, bluetooth: Bool, sensors: Bool)

    /// Decodes a request; nil if it is too short or unknown.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x01, 0x01...0x7F): self = .read(BeltParameter(isExtended: false, id: bytes[1]))
        case (0x01, 0x80...):
            guard let request = Self(basic: bytes[1] & 0x7F, value: Array(bytes[2...])) else { return nil }
            self = request
        case (0x10, 1...):
            guard bytes.count >= 3 else { return nil }
            self = .read(BeltParameter(isExtended: true, id: bytes[2]))
        case (0x11, _):
            guard bytes.count >= 4,
                let request = Self(extended: bytes[1], persist: bytes[2] != 0, value: Array(bytes[3...]))
            else { return nil }
            self = request
        case (0x12, _):
            guard bytes.count >= 4 else { return nil }
            self = .reset(parameters: bytes[1] != 0, bluetooth: bytes[2] != 0, sensors: bytes[3] != 0)
        default: return nil
        }
    }

    private init?(basic id: UInt8, value: [UInt8]) {
        switch (id, value.count) {
        case (0x01, 1...):
            guard let mode = BeltMode(rawValue: value[0]) else { return nil }
            self = .setMode(mode)
        case (0x02, 1...): self = .setIntensity(value[0], feedback: value.count >= 3 && value[2] != 0)
        case (0x03, 2...): self = .setBasicHeadingOffset(value.uint16(at: 0))
        case (0x04, 1...): self = .rename(value)
        default: return nil
        }
    }

    private init?(extended id: UInt8, persist: Bool, value: [UInt8]) {
        switch (BeltParameter(isExtended: true, id: id), value.count) {
        case (.extendedHeadingOffset, 2...): self = .setHeadingOffset(value.uint16(at: 0), persist: persist)
        case (.accuracySignal, 1...):
            guard let signal = BeltAccuracySignal(rawValue: value[0]) else { return nil }
            self = .setAccuracySignal(signal, persist: persist)
        case (.frontRange, 7...):
            guard let range = BeltFrontRange(value) else { return nil }
            self = .setFrontRange(range)
        case (.orientationPeriod, 2...): self = .setOrientationPeriod(value.uint16(at: 0))
        case (.pairingRequired, 1...): self = .setPairingRequired(value[0] != 0, persist: persist)
        default: return nil
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .read(let parameter): parameter.isExtended ? [0x10, 0x01, parameter.id] : [0x01, parameter.id]
        case .setMode(let mode): [0x01, 0x81, mode.rawValue, 0]
        case .setIntensity(let value, let feedback): [0x01, 0x82, value, 0, feedback ? 1 : 0]
        case .setBasicHeadingOffset(let degrees): [0x01, 0x83] + Self.pair(degrees)
        case .setHeadingOffset(let degrees, let persist):
            [0x11, 0x01, persist ? 1 : 0] + Self.pair(degrees)
        case .setAccuracySignal(let signal, let persist): [0x11, 0x03, persist ? 1 : 0, signal.rawValue]
        case .setFrontRange(let range): [0x11, 0x0A, 0x02] + range.bytes
        case .setOrientationPeriod(let period): [0x11, 0x0F, 0] + Self.pair(period)
        case .setPairingRequired(let isRequired, let persist):
            [0x11, 0x25, persist ? 1 : 0, isRequired ? 1 : 0]
        case .rename(let suffix): [0x01, 0x84] + suffix
        case .reset(let parameters, let bluetooth, let sensors):
            [0x12, parameters ? 1 : 0, bluetooth ? 1 : 0, sensors ? 1 : 0]
        }
    }

    private static func pair(_ value: UInt16) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
}
