import DeviceKit

/// Where the belt's power comes from (`FSPowerStatus`).
enum BeltPowerStatus: UInt8, Named {
    /// Not known.
    case unknown = 0
    case battery = 1
    case charging = 2
    /// External power, battery full.
    case external = 3

    /// The name in topics.
    var name: String {
        switch self {
        case .unknown: "unknown"
        case .battery: "battery"
        case .charging: "charging"
        case .external: "external"
        }
    }
}

/// The battery status, read from and notified on `FE09`.
struct BeltBatteryStatus: Hashable, Sendable {
    /// Seconds in one unit of the packet's time.
    private static let secondsPerUnit = 5.625

    /// Where the power comes from.
    var power: BeltPowerStatus
    /// The charge in percent, 0 to 100.
    var level: Double
    /// Seconds to empty or, charging, to full.
    var remaining: Double
    /// The current in mA; which sign means charging is not known.
    var current: Int16?
    /// The voltage in mV.
    var voltage: UInt16?

    /// The charge in tenths of a percent.
    var roundedLevel: Double { (level * 10).rounded() / 10 }
    /// Whole seconds to empty or, charging, to full.
    var remainingSeconds: Int { Int(remaining) }

    /// Makes a status.
    init(
        _ power: BeltPowerStatus, level: Double, remaining: Double, current: Int16? = 0,
        voltage: UInt16? = 3800
    ) {
        self.power = power
        self.level = level
        self.remaining = remaining
        self.current = current
        self.voltage = voltage
    }

    /// Decodes at least 5 bytes; current and voltage need 9. Nil for fewer and for an unknown power status, as
    /// `FSCommandManager` does; what follows (`BeltCommunicationController`) has no certain meaning.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5, let power = BeltPowerStatus(rawValue: bytes[0]) else { return nil }
        self.power = power
        level = min(100, Double(bytes.uint16(at: 1)) / 256)
        remaining = Double(bytes.uint16(at: 3)) * Self.secondsPerUnit
        current = bytes.count >= 9 ? bytes.int16(at: 5) : nil
        voltage = bytes.count >= 9 ? bytes.uint16(at: 7) : nil
    }

    /// The packet, 9 bytes.
    var bytes: [UInt8] {
        var bytes = [power.rawValue]
        bytes.put(UInt16(max(0, min(100, level)) * 256))
        bytes.put(UInt16(max(0, min(65_535, remaining / Self.secondsPerUnit))))
        bytes.put(current ?? 0)
        bytes.put(voltage ?? 0)
        return bytes
    }
}
