import DeviceKit

/// A predefined signal of the belt (`FSSystemSignal`).
enum BeltSystemSignal: UInt8, Named {
    case warning = 0
    case destinationReached = 1
    /// The signal that shows the battery level.
    case battery = 2

    var name: String {
        switch self {
        case .warning: "warning"
        case .destinationReached: "destination_reached"
        case .battery: "battery"
        }
    }
}

/// A vibration command, written to `FE03`. The belt does not answer it with a notification.
enum BeltVibrationCommand: Hashable, Sendable {
    case configure(BeltChannelConfiguration)
    /// Play a system signal.
    case system(BeltSystemSignal)
    /// Stop a channel; nil stops all channels.
    case stop(channel: UInt8?)
    /// Play pulses on a channel.
    case pulse(BeltPulseConfiguration)

    /// Decodes a packet by its first byte; nil if it is too short or unknown.
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

    var bytes: [UInt8] {
        switch self {
        case .configure(let configuration): configuration.bytes
        case .system(let signal): [0x20, signal.rawValue]
        case .stop(let channel): [0x30, channel ?? 0xFF]
        case .pulse(let configuration): configuration.bytes
        }
    }

    /// Silences channel 0 in every mode in which the belt accepts vibrations, by one iteration of the pattern without
    /// vibration.
    ///
    /// A stop takes effect only in app mode. In other modes, the belt accepts a limited vibration on channel 0, which
    /// replaces the current vibration of the channel.
    static let noVibration = BeltVibrationCommand.configure(
        BeltChannelConfiguration(
            channel: 0, pattern: .none, intensity: 0, place: .motor(0), iterations: 1, period: 1))

    /// Whether the wearer feels a vibration because of the command.
    var startsVibration: Bool {
        switch self {
        case .configure(let configuration): configuration.pattern != .none
        case .pulse, .system: true
        case .stop: false
        }
    }

    /// Whether the command stops the other channels.
    var clearsOthers: Bool {
        switch self {
        case .configure(let configuration): configuration.clearsOthers
        case .pulse(let configuration): configuration.clearsOthers
        case .system, .stop: false
        }
    }

    /// The same command, without suspending the other channels.
    var besideOthers: BeltVibrationCommand {
        switch self {
        case .configure(var configuration):
            configuration.isExclusive = false
            return .configure(configuration)
        case .pulse(var configuration):
            configuration.isExclusive = false
            return .pulse(configuration)
        case .system, .stop: return self
        }
    }

    /// The duration of the vibration. Nil if only a stop ends the vibration, and for system signals, whose duration is
    /// not documented.
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

    /// The channel that the command configures; nil for a system signal and a stop.
    var configuredChannel: UInt8? {
        switch self {
        case .configure(let configuration): configuration.channel
        case .pulse(let configuration): configuration.channel
        case .system, .stop: nil
        }
    }

    /// Whether the belt accepts the command outside app mode.
    var isAcceptedOutsideAppMode: Bool {
        switch self {
        case .configure(let configuration): configuration.isAcceptedOutsideAppMode
        case .pulse(let configuration): configuration.isAcceptedOutsideAppMode
        case .system: true
        case .stop: false
        }
    }
}
