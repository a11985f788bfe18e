import DeviceKit

/// The value of a parameter, notified on `FE06`: the answer to a request, or a change.
struct BeltParameterNotification: Hashable, Sendable {
    var parameter: BeltParameter
    var value: [UInt8]

    init(_ parameter: BeltParameter, _ value: [UInt8]) {
        self.parameter = parameter
        self.value = value
    }

    /// The decoded value of a notified parameter.
    enum Content: Hashable, Sendable {
        case mode(BeltMode)
        /// The default intensity in percent.
        case intensity(UInt8)
        /// The heading offset in degrees.
        case headingOffset(UInt16)
        /// The Bluetooth name, or its suffix.
        case name(String)
        /// The modes in which the belt signals an inaccurate orientation.
        case accuracySignal(BeltAccuracySignal)
        case frontRange(BeltFrontRange)
        /// The period of orientation notifications, in milliseconds.
        case orientationPeriod(UInt16)
        /// The calibration error of the magnetometer, from firmware in which this value has the parameter number of the
        /// orientation period.
        case magnetometerError(Float)
        /// Three numbers of the sensors' calibration. Which numbers they are depends on the parameter.
        case calibration(Float, Float, Float)
        /// The status of the gyroscope.
        case gyroscopeStatus(UInt8)
        /// Whether clients must be paired.
        case pairingRequired(Bool)
    }

    /// Creates a notification with the given meaning, in the basic or extended group of the parameter.
    init(_ parameter: BeltParameter, _ content: Content) {
        self.init(parameter, Self.encode(content))
    }

    /// Decodes at least 3 bytes; nil for fewer bytes, and for an unknown group of packets.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3, bytes[0] == 0x01 || bytes[0] == 0x10 else { return nil }
        self.init(BeltParameter(isExtended: bytes[0] == 0x10, id: bytes[1]), Array(bytes[2...]))
    }

    var bytes: [UInt8] { [parameter.isExtended ? 0x10 : 0x01, parameter.id] + value }

    /// The meaning of the value; nil if it is too short, out of range or unknown.
    var content: Content? {
        guard let first = value.first else { return nil }
        switch (parameter, value.count) {
        case (.mode, _): return BeltMode(rawValue: first).map(Content.mode)
        case (.intensity, _), (.extendedIntensity, _): return first <= 100 ? .intensity(first) : nil
        case (.headingOffset, 2...), (.extendedHeadingOffset, 2...):
            let degrees = value.uint16(at: 0)
            return degrees < 360 ? .headingOffset(degrees) : nil
        case (.name, _): return .name(String(decoding: value, as: UTF8.self))
        case (.accuracySignal, _): return BeltAccuracySignal(rawValue: first & 3).map(Content.accuracySignal)
        case (.frontRange, 7...): return BeltFrontRange(value).map(Content.frontRange)
        case (.orientationPeriod, 2...3): return .orientationPeriod(value.uint16(at: 0))
        case (.orientationPeriod, 4...): return .magnetometerError(value.float32(at: 0))
        case (.magnetometerOffsets, 12...), (.magnetometerGains, 12...), (.gyroscopeOffsets, 12...):
            return .calibration(value.float32(at: 0), value.float32(at: 4), value.float32(at: 8))
        case (.gyroscopeStatus, _): return .gyroscopeStatus(first)
        case (.pairingRequired, _): return .pairingRequired(first != 0)
        default: return nil
        }
    }

    private static func encode(_ content: Content) -> [UInt8] {
        var bytes: [UInt8] = []
        switch content {
        case .mode(let mode): bytes.put(mode.rawValue)
        case .intensity(let value), .gyroscopeStatus(let value): bytes.put(value)
        case .headingOffset(let value), .orientationPeriod(let value): bytes.put(value)
        case .name(let text): bytes.append(contentsOf: text.utf8)
        case .accuracySignal(let signal): bytes.put(signal.rawValue)
        case .frontRange(let range): bytes.append(contentsOf: range.bytes)
        case .magnetometerError(let value): bytes.put(value)
        case .calibration(let x, let y, let z): for value in [x, y, z] { bytes.put(value) }
        case .pairingRequired(let isRequired): bytes.put(isRequired)
        }
        return bytes
    }
}
