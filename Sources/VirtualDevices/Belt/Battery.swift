import Bluetooth

extension VirtualBelt {
    struct Battery: Hashable, Sendable {
        /// The charge in percent.
        var level: Double
        var status: Status = .onBattery
        private var updatedAt: Duration?

        init(level: Double) { self.level = level }

        /// The power source of the belt, by its code in battery packets.
        enum Status: UInt8, Sendable {
            case unknown = 0
            case onBattery = 1
            case charging = 2
            case external = 3

            /// The power source as a word for the simulator's reports.
            var word: String { self == .onBattery ? "battery" : String(describing: self) }
        }

        /// Updates the charge up to `now`: the battery loses or, while charging, gains `drain` percent per minute.
        mutating func pass(to now: Duration, drain: Double) {
            defer { updatedAt = now }
            guard let updatedAt, drain > 0 else { return }
            let minutes = (now - updatedAt) / .seconds(60)
            switch status {
            case .onBattery: level = max(0, level - drain * minutes)
            case .charging: level = min(100, level + drain * minutes)
            case .unknown, .external: break
            }
        }

        /// The value of the battery characteristic. Its time estimates assume 8 hours from full to empty and 2 hours
        /// from empty to full.
        func packet(extras: Bool) -> [UInt8] {
            let isCharging = status == .charging
            let seconds = isCharging ? (100 - level) * 72 : level * 288
            let milliamperes = isCharging ? 500 : status == .external ? 0 : -200
            var bytes: [UInt8] = [status.rawValue]
            bytes += Packet.bytes(Int(level * 256))
            bytes += Packet.bytes(Int(seconds / 5.625))
            bytes += Packet.bytes(milliamperes)
            bytes += Packet.bytes(Int(3400 + level * 8))
            if extras { bytes += [0x00, 0x19, 0x00, 0x5F, status.rawValue] + Packet.bytes(Int(level * 256)) }
            return bytes
        }

        /// The battery level and the power source, as details of a report.
        var details: [String: String] {
            ["level": String(Int(level)), "power": status.word]
        }
    }

    mutating func sendBattery(_ turn: inout Turn, again: Bool) {
        turn.notify(Attribute.battery, battery.packet(extras: choices.sendsBatteryExtras))
        if again, link != nil { turn.start(.battery, after: choices.batteryPeriod) }
    }
}
