import DeviceKit

/// A parameter of the belt: its request family and its number there.
struct BeltParameter: Hashable, Sendable {
    /// Whether it is of the extended family, whose packets begin with `10` and `11` instead of `01`.
    let isExtended: Bool
    /// Its number.
    let id: UInt8

    /// Names a parameter.
    init(isExtended: Bool, id: UInt8) {
        self.isExtended = isExtended
        self.id = id
    }

    static let mode = BeltParameter(isExtended: false, id: 0x01)
    /// The default intensity.
    static let intensity = BeltParameter(isExtended: false, id: 0x02)
    static let headingOffset = BeltParameter(isExtended: false, id: 0x03)
    /// The Bluetooth name.
    static let name = BeltParameter(isExtended: false, id: 0x04)

    /// The default intensity, as it may be notified instead.
    static let extendedIntensity = BeltParameter(isExtended: true, id: 0x00)
    /// The heading offset, with a choice of persistence.
    static let extendedHeadingOffset = BeltParameter(isExtended: true, id: 0x01)
    /// The signal of an inaccurate orientation.
    static let accuracySignal = BeltParameter(isExtended: true, id: 0x03)
    static let frontRange = BeltParameter(isExtended: true, id: 0x0A)
    static let magnetometerOffsets = BeltParameter(isExtended: true, id: 0x0D)
    static let magnetometerGains = BeltParameter(isExtended: true, id: 0x0E)
    /// The period of orientation notifications (pybelt), or on other firmware the magnetometer's calibration
    /// error (FSLib-Android's development application).
    static let orientationPeriod = BeltParameter(isExtended: true, id: 0x0F)
    static let gyroscopeOffsets = BeltParameter(isExtended: true, id: 0x10)
    static let gyroscopeStatus = BeltParameter(isExtended: true, id: 0x11)
    /// Whether clients must be paired.
    static let pairingRequired = BeltParameter(isExtended: true, id: 0x25)
}

/// In which modes the belt signals that its orientation is inaccurate: bit 0 compass, bit 1 app (pybelt).
enum BeltAccuracySignal: UInt8, Named {
    /// Never.
    case off = 0
    /// In compass mode.
    case compass = 1
    /// In app mode.
    case app = 2
    case both = 3

    /// The name in topics.
    var name: String {
        switch self {
        case .off: "off"
        case .compass: "compass"
        case .app: "app"
        case .both: "both"
        }
    }
}

/// The front range of firmware 4: three numbers and a byte, of which only the third is known to be the front range
/// in app mode (`FSCommandManager`).
struct BeltFrontRange: Hashable, Sendable {
    /// The first number.
    var first: UInt16
    /// The second number.
    var second: UInt16
    /// The front range in app mode.
    var app: UInt16
    /// The last byte.
    var last: UInt8

    /// Makes settings.
    init(first: UInt16, second: UInt16, app: UInt16, last: UInt8) {
        self.first = first
        self.second = second
        self.app = app
        self.last = last
    }

    /// What FSLib-iOS writes where the front range is wrong.
    static let corrected = BeltFrontRange(first: 225, second: 160, app: 225, last: 1)

    /// Whether the firmware's mistake shows: the front range does not fit one byte.
    var isWrong: Bool { app > 0xFF }

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for number in [first, second, app] { bytes.put(number) }
        bytes.put(last)
        return bytes
    }

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 7 else { return nil }
        self.init(
            first: bytes.uint16(at: 0), second: bytes.uint16(at: 2), app: bytes.uint16(at: 4), last: bytes[6])
    }
}
