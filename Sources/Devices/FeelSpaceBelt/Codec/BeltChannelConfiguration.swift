import DeviceKit

/// The configuration of one vibration channel: all ten parameters, 18 bytes on `FE03`
/// (`FSCommandManager.configureVibrationChannel`).
struct BeltChannelConfiguration: Hashable, Sendable {
    /// The channel, 0 to 5.
    var channel: UInt8
    var pattern: BeltPattern
    /// The intensity in percent; nil for the belt's default.
    var intensity: UInt8?
    var place: BeltPlace
    /// How often the pattern is repeated, 1 to 127; nil for no limit.
    var iterations: UInt8?
    /// The duration of one iteration, in milliseconds.
    var period: UInt16
    /// The start position in the pattern, in milliseconds.
    var start: UInt16
    /// Whether the other channels are suspended while this channel is active.
    var isExclusive: Bool
    /// Whether all other channels are stopped and cleared.
    var clearsOthers: Bool

    /// Creates a configuration. The defaults are those of the convenience calls of the maker's libraries.
    init(
        channel: UInt8 = 1, pattern: BeltPattern = .continuous, intensity: UInt8? = nil, place: BeltPlace,
        iterations: UInt8? = nil, period: UInt16 = 500, start: UInt16 = 0, isExclusive: Bool = false,
        clearsOthers: Bool = false
    ) {
        self.channel = channel
        self.pattern = pattern
        self.intensity = intensity
        self.place = place
        self.iterations = iterations
        self.period = period
        self.start = start
        self.isExclusive = isExclusive
        self.clearsOthers = clearsOthers
    }

    /// Whether the belt accepts this configuration outside app mode: only on channel 0, with a limited number of
    /// iterations, and without clearing other channels.
    var isAcceptedOutsideAppMode: Bool { channel == 0 && iterations != nil && !clearsOthers }

    /// Decodes at least 18 bytes; nil for fewer bytes, a channel over 5, or an unknown orientation type.
    ///
    /// The iteration byte is signed; 0 and negative values mean no limit. The intensity bytes `AAAA` mean the default
    /// intensity.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 18, bytes[0] <= 5,
            let place = BeltPlace(type: bytes[6], value: bytes.uint16(at: 7))
        else { return nil }
        let intensity = bytes.uint16(at: 2)
        self.init(
            channel: bytes[0], pattern: BeltPattern(rawValue: bytes[1]),
            intensity: intensity == 0xAAAA ? nil : UInt8(min(100, intensity)), place: place,
            iterations: (1...127).contains(bytes[11]) ? bytes[11] : nil, period: bytes.uint16(at: 12),
            start: bytes.uint16(at: 14), isExclusive: bytes[16] != 0, clearsOthers: bytes[17] != 0)
    }

    /// The packet, 18 bytes. An unlimited number of iterations is written as 0, which every known firmware accepts.
    var bytes: [UInt8] {
        var bytes = [channel, pattern.rawValue]
        bytes.put(intensity.map { UInt16($0) } ?? 0xAAAA)
        bytes.put(UInt16(0))
        bytes.put(place.type)
        bytes.put(place.value)
        bytes.put(UInt16(0))
        bytes.put(iterations ?? 0)
        bytes.put(period)
        bytes.put(start)
        bytes.put(isExclusive)
        bytes.put(clearsOthers)
        return bytes
    }
}
