import DeviceKit
import JSON

extension RobotMachine {
    /// The shortest time between two reports, stops excepted.
    private static let statusInterval = Duration.milliseconds(200)

    /// Publishes the status if it changed: at once for a stop, else at most five times a second.
    mutating func publishStatus(_ effects: inout Effects) {
        // A lease that runs down is no change.
        let state = status(lease: 0)
        defer { isStatusUrgent = false }
        guard state != publishedStatus else { return }
        if !isStatusUrgent, let publishedAt, now - publishedAt < Self.statusInterval {
            return effects.startTimer(Self.statusTimer, after: publishedAt + Self.statusInterval - now)
        }
        (publishedStatus, publishedAt) = (state, now)
        effects.cancelTimer(Self.statusTimer)
        let rest = drive.map { ($0.end - now) / .milliseconds(1) } ?? 0
        effects.publish("status", status(lease: Int(max(rest, 0))))
    }

    /// The words of the app.
    private var connection: String {
        switch (phase, stage) {
        case (.online, _): "connected"
        case (.handshake, _), (_, .connecting), (_, .pairing), (_, .preparing): "connecting"
        case (_, .searching): "searching"
        case (_, .error): "error"
        case (_, .disconnected), (_, .connected): "disconnected"
        }
    }

    private func status(lease: Int) -> JSON.Value {
        let motion = drive?.motion ?? .none
        let direction = Self.rounded(motion.direction, 100)
        return [
            "connection": .string(connection), "power": .bool(buttons.power),
            "emergency_stop": .bool(isLatched), "weapon": .bool(buttons.weapon),
            "field_orientation": .bool(buttons.fieldOrientation), "field_offset": Self.number(offset),
            "moving": .bool(motion.isMotion), "direction": Self.number(direction < 360 ? direction : 0),
            "speed": Self.number(Self.rounded(motion.speed, 1000)),
            "turn": Self.number(Self.rounded(motion.turn, 1000)), "lease_ms": .integer(lease),
            "stopped_by": stoppedBy.map { .string($0.rawValue) } ?? .null,
            "blocked_by": phase == .online ? block.map { .string($0.rawValue) } ?? .null : .null,
            "unconfirmed": .bool(isUnconfirmed),
        ]
    }

    private static func rounded(_ number: Double, _ parts: Double) -> Double {
        (number * parts).rounded() / parts
    }

    /// A whole number without a decimal point, as people write it.
    private static func number(_ number: Double) -> JSON.Value {
        Int(exactly: number).map { .integer($0) } ?? .number(number)
    }
}
