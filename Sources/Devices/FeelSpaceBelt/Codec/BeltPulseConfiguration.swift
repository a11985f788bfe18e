import DeviceKit

/// What a pulse command does to the channel's timer (`PulseTimerOption`).
enum BeltPulseTimer: UInt8, Named {
    /// Starts anew.
    case reset = 0
    /// Starts anew only if the period differs.
    case resetIfChanged = 1
    /// Goes on.
    case keep = 2

    /// The name in topics.
    var name: String {
        switch self {
        case .reset: "reset"
        case .resetIfChanged: "reset_if_changed"
        case .keep: "keep"
        }
    }
}

/// Series of pulses on one channel: 17 bytes on `FE03`, firmware 45 and newer (`sendPulseCommand` of FSLib-Android,
/// `send_pulse_command` of pybelt).
struct BeltPulseConfiguration: Hashable, Sendable {
    /// The channel, 0 to 5.
    var channel: UInt8
    /// Where.
    var place: BeltPlace
    /// The intensity in percent; nil for the belt's default.
    var intensity: UInt8?
    /// Milliseconds that one pulse lasts.
    var onDuration: UInt16
    /// Pulses in one series, 1 to 9.
    var pulses: UInt8
    /// How many series, 1 to 127; nil for ever.
    var iterations: UInt8?
    /// Milliseconds from one pulse to the next.
    var pulsePeriod: UInt16
    /// Milliseconds from one series to the next.
    var seriesPeriod: UInt16
    /// What happens to the channel's timer.
    var timer: BeltPulseTimer
    /// Whether the other channels are suspended while this one is active.
    var isExclusive: Bool
    /// Whether all other channels are stopped and cleared.
    var clearsOthers: Bool

    /// Makes a configuration.
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

    /// Whether the belt takes it outside app mode: channel 0, limited, clearing nothing.
    var isAcceptedOutsideAppMode: Bool { channel == 0 && iterations != nil && !clearsOthers }

    /// Decodes at least 17 bytes that begin with `40`; nil for anything else. The default intensity is one byte
    /// `AA` here.
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
