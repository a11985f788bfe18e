import DeviceKit

/// A signal that the belt has ready (`FSSystemSignal`).
enum BeltSystemSignal: UInt8, Named {
    case warning = 0
    case destinationReached = 1
    /// The battery level.
    case battery = 2

    /// The name in topics.
    var name: String {
        switch self {
        case .warning: "warning"
        case .destinationReached: "destination_reached"
        case .battery: "battery"
        }
    }
}

/// What is written to `FE03`; no notification answers it.
enum BeltVibrationCommand: Hashable, Sendable {
    case configure(BeltChannelConfiguration)
    /// Play a system signal.
    case system(BeltSystemSignal)
    /// Stop a channel, or with nil all of them.
    case stop(channel: UInt8?)
    /// Pulse on a channel.
    case pulse(BeltPulseConfiguration)

    /// Decodes a packet by its first byte; nil where it is too short or not known.
    init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0...5:
            guard let configuration = BeltChannelConfiguration(bytes) else { return nil }
            self = .configure(configuration)
        case 0x20:
            guard bytes.count >= 2, let signal = BeltSystemSignal(rawValue: bytes[1]) else { return nil }
            self = .system(signal)
        case 0x30:
            guard bytes.count >= 2, bytes[1] <= 5 || bytes[1] == 0xFF else { return nil }
            self = .stop(channel: bytes[1] == 0xFF ? nil : bytes[1])
        case 0x40:
            guard let configuration = BeltPulseConfiguration(bytes) else { return nil }
            self = .pulse(configuration)
        default: return nil
        }
    }

    /// The packet.
    var bytes: [UInt8] {
        switch self {
        case .configure(let configuration): configuration.bytes
        case .system(let signal): [0x20, signal.rawValue]
        case .stop(let channel): [0x30, channel ?? 0xFF]
        case .pulse(let configuration): configuration.bytes
        }
    }

    /// Silences channel 0 in every mode in which the belt takes vibrations: its pattern of no vibration,
    /// once.
    ///
    /// A stop acts in app mode only; outside of it the belt takes a limited vibration on channel 0, which
    /// replaces what is there.
    static let noVibration = BeltVibrationCommand.configure(
        BeltChannelConfiguration(
            channel: 0, pattern: .none, intensity: 0, place: .motor(0), iterations: 1, period: 1))

    /// Whether the wearer feels something by it.
    var startsVibration: Bool {
        switch self {
        case .configure(let configuration): configuration.pattern != .none
        case .pulse, .system: true
        case .stop: false
        }
    }

    /// Whether it ends what the other channels do.
    var clearsOthers: Bool {
        switch self {
        case .configure(let configuration): configuration.clearsOthers
        case .pulse(let configuration): configuration.clearsOthers
        case .system, .stop: false
        }
    }

    /// How long it lasts; nil for until it is stopped, and for system signals, whose length is not
    /// documented.
    var length: Duration? {
        switch self {
        case .configure(let configuration):
            return configuration.iterations.map {
                .milliseconds(max(1, Int(configuration.period)) * Int($0))
            }
        case .pulse(let configuration):
            let pulses = Int(configuration.pulses) * Int(configuration.pulsePeriod)
            let series = max(Int(configuration.seriesPeriod), pulses + Int(configuration.onDuration))
            return configuration.iterations.map { .milliseconds(series * Int($0)) }
        case .system, .stop: return nil
        }
    }

    /// The channel that it sets; nil for what sets none.
    var configuredChannel: UInt8? {
        switch self {
        case .configure(let configuration): configuration.channel
        case .pulse(let configuration): configuration.channel
        case .system, .stop: nil
        }
    }

    /// Whether the belt takes it outside app mode.
    var isAcceptedOutsideAppMode: Bool {
        switch self {
        case .configure(let configuration): configuration.isAcceptedOutsideAppMode
        case .pulse(let configuration): configuration.isAcceptedOutsideAppMode
        case .system: true
        case .stop: false
        }
    }
}
