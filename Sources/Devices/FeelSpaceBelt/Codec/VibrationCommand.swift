/// A signal that the belt has ready (`FSSystemSignal`).
package enum SystemSignal: UInt8, Named {
    /// A warning.
    case warning = 0
    /// The destination is reached.
    case destinationReached
    /// The battery level.
    case battery

    /// The name in topics.
    package var name: String {
        switch self {
        case .warning: "warning"
        case .destinationReached: "destination_reached"
        case .battery: "battery"
        }
    }
}

/// What is written to `FE03`; no notification answers it.
package enum VibrationCommand: Hashable, Sendable {
    /// Configure a channel.
    case configure(ChannelConfiguration)
    /// Play a system signal.
    case system(SystemSignal)
    /// Stop a channel, or with nil all of them.
    case stop(channel: UInt8?)
    /// Pulse on a channel.
    case pulse(PulseConfiguration)

    /// Decodes a packet by its first byte; nil where it is too short or not known.
    package init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0...5:
            guard let configuration = ChannelConfiguration(bytes) else { return nil }
            self = .configure(configuration)
        case 0x20:
            guard bytes.count >= 2, let signal = SystemSignal(rawValue: bytes[1]) else { return nil }
            self = .system(signal)
        case 0x30:
            guard bytes.count >= 2, bytes[1] <= 5 || bytes[1] == 0xFF else { return nil }
            self = .stop(channel: bytes[1] == 0xFF ? nil : bytes[1])
        case 0x40:
            guard let configuration = PulseConfiguration(bytes) else { return nil }
            self = .pulse(configuration)
        default: return nil
        }
    }

    /// The packet.
    package var bytes: [UInt8] {
        switch self {
        case .configure(let configuration): configuration.bytes
        case .system(let signal): [0x20, signal.rawValue]
        case .stop(let channel): [0x30, channel ?? 0xFF]
        case .pulse(let configuration): configuration.bytes
        }
    }

    /// The channel that it sets; nil for what sets none.
    package var configuredChannel: UInt8? {
        switch self {
        case .configure(let configuration): configuration.channel
        case .pulse(let configuration): configuration.channel
        case .system, .stop: nil
        }
    }

    /// Whether the belt takes it outside app mode.
    package var isAcceptedOutsideAppMode: Bool {
        switch self {
        case .configure(let configuration): configuration.isAcceptedOutsideAppMode
        case .pulse(let configuration): configuration.isAcceptedOutsideAppMode
        case .system, .stop: true
        }
    }
}
