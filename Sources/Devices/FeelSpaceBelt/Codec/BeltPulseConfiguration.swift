import DeviceKit

/// What a pulse command does with the channel's timer, which determines the current position in the pattern
/// (`PulseTimerOption`).
enum BeltPulseTimer: UInt8, Named {
    /// Restarts the timer.
    case reset = 0
    /// Restarts the timer only if the period changes.
    case resetIfChanged = 1
    /// Keeps the timer running.
    case keep = 2

    var name: String {
        switch self {
        case .reset: "reset"
        case .resetIfChanged: "reset_if_changed"
        case .keep: "keep"
        }
    }
}

/// A vibration command that plays series of pulses on one channel: 17 bytes on `FE03`, firmware 45 and newer
/// (`sendPulseCommand` of FSLib-Android, `send_pulse_command` of pybelt).
struct BeltPulseConfiguration: Hashable, Sendable {
    /// The channel, 0 to 5.
    var channel: UInt8
    var place: BeltPlace
    /// The intensity in percent; nil for the belt's default.
    var intensity: UInt8?
    /// The duration of one pulse, in milliseconds.
    var onDuration: UInt16
    /// The number of pulses in a series, 1 to 9.
    var pulses: UInt8
    /// The number of series, 1 to 127; nil for no limit.
    var iterations: UInt8?
    /// Milliseconds from the start of a pulse to the start of the next.
    var pulsePeriod: UInt16
    /// Milliseconds from the start of a series to the start of the next.
    var seriesPeriod: UInt16
    /// What the command does with the channel's timer.
    var timer: BeltPulseTimer
    /// Whether the other channels are suspended while this channel is active.
    var isExclusive: Bool
    /// Whether all other channels are stopped and cleared.
    var clearsOthers: Bool

    init(
        channel: UInt8, place: BeltPlace, intensity: UInt8? = nil, onDuration: UInt16, pulses: UInt8 = 1,
        iterations: UInt8? = nil, pulsePeriod: UInt16, seriesPeriod: UInt16,
        timer: BeltPulseTimer = .resetIfChanged, isExclusive: Bool = false, clearsOthers: Bool = false
    ) {
        self.channel = channel
        self.place = place
        self.intensity = intensity
        self.onDuration = onDuration
        self.pulses = pulses
        self.iterations = iterations
        self.pulsePeriod = pulsePeriod
        self.seriesPeriod = seriesPeriod
        self.timer = timer
        self.isExclusive = isExclusive
        self.clearsOthers = clearsOthers
    }

    /// Whether the belt accepts this configuration outside app mode: only on channel 0, with a limited number of
    /// series, and without clearing other channels.
    var isAcceptedOutsideAppMode: Bool { channel == 0 && iterations != nil && !clearsOthers }

    /// Decodes at least 17 bytes that start with `40`; nil for anything else. In this packet, the default intensity is
    /// the single byte `AA`.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 17, bytes[0] == 0x40, bytes[1] <= 5,
            let place = BeltPlace(type: bytes[2], value: bytes.uint16(at: 3)),
            let timer = BeltPulseTimer(rawValue: bytes[14])
        else { return nil }
        self.init(
            channel: bytes[1], place: place, intensity: bytes[5] == 0xAA ? nil : min(100, bytes[5]),
            onDuration: bytes.uint16(at: 6), pulses: bytes[8],
            iterations: (1...127).contains(bytes[9]) ? bytes[9] : nil, pulsePeriod: bytes.uint16(at: 10),
            seriesPeriod: bytes.uint16(at: 12), timer: timer, isExclusive: bytes[15] != 0,
            clearsOthers: bytes[16] != 0)
    }

    /// The packet, 17 bytes.
    var bytes: [UInt8] {
        var bytes = [0x40, channel, place.type]
        bytes.put(place.value)
        bytes.put(intensity ?? 0xAA)
        bytes.put(onDuration)
        bytes.append(contentsOf: [pulses, iterations ?? 0])
        bytes.put(pulsePeriod)
        bytes.put(seriesPeriod)
        bytes.append(contentsOf: [timer.rawValue, isExclusive ? 1 : 0, clearsOthers ? 1 : 0])
        return bytes
    }
}
