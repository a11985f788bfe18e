import DeviceKit

/// The source of the belt's power (`FSPowerStatus`).
enum BeltPowerStatus: UInt8, Named {
    case unknown = 0
    case battery = 1
    case charging = 2
    /// External power, battery full.
    case external = 3

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
    /// The number of seconds in one unit of the packet's remaining time.
    private static let secondsPerUnit = 5.625

    var power: BeltPowerStatus
    /// The charge in percent, 0 to 100.
    var level: Double
    /// The time until the battery is empty or, while charging, full, in seconds.
    var remaining: Double
    /// The current in mA. Which sign means charging is unknown.
    var current: Int16?
    /// The voltage in mV.
    var voltage: UInt16?

    /// The charge, rounded to tenths of a percent.
    var roundedLevel: Double { (level * 10).rounded() / 10 }
    /// The whole seconds of ``remaining``.
    var remainingSeconds: Int { Int(remaining) }

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

    /// Decodes at least 5 bytes; current and voltage require 9. Returns nil for fewer bytes and for an unknown power
    /// status, as `FSCommandManager` of FSLib-iOS does. Longer packets contain further bytes, which only
    /// `BeltCommunicationController` of FSLib-Android reads; their meaning is uncertain.
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
