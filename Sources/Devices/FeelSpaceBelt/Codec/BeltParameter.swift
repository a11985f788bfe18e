import DeviceKit

/// A parameter of the belt: its group of packets (basic or extended), and its number within the group.
struct BeltParameter: Hashable, Sendable {
    /// Whether the parameter belongs to the extended group, whose packets start with `10` and `11` instead of `01`.
    let isExtended: Bool
    let id: UInt8

    init(isExtended: Bool, id: UInt8) {
        self.isExtended = isExtended
        self.id = id
    }

    static let mode = BeltParameter(isExtended: false, id: 0x01)
    /// The intensity of vibrations for which a command gives none.
    static let intensity = BeltParameter(isExtended: false, id: 0x02)
    static let headingOffset = BeltParameter(isExtended: false, id: 0x03)
    /// The name that the belt advertises over Bluetooth.
    static let name = BeltParameter(isExtended: false, id: 0x04)

    /// The default intensity as a parameter of the extended group. Some belts notify this parameter instead of
    /// ``intensity``.
    static let extendedIntensity = BeltParameter(isExtended: true, id: 0x00)
    /// The heading offset, in the extended group: a client can set it until power-off or permanently.
    static let extendedHeadingOffset = BeltParameter(isExtended: true, id: 0x01)
    /// The modes in which the belt signals an inaccurate orientation (``BeltAccuracySignal``).
    static let accuracySignal = BeltParameter(isExtended: true, id: 0x03)
    static let frontRange = BeltParameter(isExtended: true, id: 0x0A)
    static let magnetometerOffsets = BeltParameter(isExtended: true, id: 0x0D)
    static let magnetometerGains = BeltParameter(isExtended: true, id: 0x0E)
    /// The period of orientation notifications (pybelt). In other firmware, the calibration error of the magnetometer
    /// (FSLib-Android's development application).
    static let orientationPeriod = BeltParameter(isExtended: true, id: 0x0F)
    static let gyroscopeOffsets = BeltParameter(isExtended: true, id: 0x10)
    static let gyroscopeStatus = BeltParameter(isExtended: true, id: 0x11)
    /// Whether clients must be paired.
    static let pairingRequired = BeltParameter(isExtended: true, id: 0x25)
}

/// The modes in which the belt signals an inaccurate orientation: bit 0 compass, bit 1 app (pybelt).
enum BeltAccuracySignal: UInt8, Named {
    /// The belt never signals an inaccurate orientation.
    case off = 0
    /// The belt signals an inaccurate orientation in compass mode only.
    case compass = 1
    /// The belt signals an inaccurate orientation in app mode only.
    case app = 2
    case both = 3

    var name: String {
        switch self {
        case .off: "off"
        case .compass: "compass"
        case .app: "app"
        case .both: "both"
        }
    }
}

/// The parameter "front range" of firmware 4: three numbers and a byte. Only the third number is documented: the front
/// range in app mode (`FSCommandManager` of FSLib-iOS).
struct BeltFrontRange: Hashable, Sendable {
    var first: UInt16
    var second: UInt16
    /// The front range in app mode.
    var app: UInt16
    var last: UInt8

    init(first: UInt16, second: UInt16, app: UInt16, last: UInt8) {
        self.first = first
        self.second = second
        self.app = app
        self.last = last
    }

    /// The value that FSLib-iOS writes if the front range is wrong.
    static let corrected = BeltFrontRange(first: 225, second: 160, app: 225, last: 1)

    /// Whether the front range in app mode does not fit one byte, which is a bug of firmware 4.
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
