/// A haptic event: a short tap or a longer vibration.
public struct Event: Hashable, Sendable {
    /// The kind of event.
    public enum Kind: Hashable, Sendable {
        /// One short tap.
        case transient
        /// A vibration with a duration in seconds and an envelope.
        case continuous(duration: Double, envelope: Envelope = Envelope())
    }

    /// The start, in seconds from the pattern's start.
    public var time: Double
    /// The kind of event.
    public var kind: Kind
    /// The strength, 0 to 1.
    public var intensity: Double
    /// The sharpness, from 0 (dull) to 1 (crisp).
    public var sharpness: Double
    /// Where on the body the event is felt; nil if it is felt wherever the command plays the pattern.
    public var position: Position?

    /// Creates an event.
    public init(
        time: Double, _ kind: Kind, intensity: Double, sharpness: Double, at position: Position? = nil
    ) {
        self.time = time
        self.kind = kind
        self.intensity = intensity
        self.sharpness = sharpness
        self.position = position
    }

    /// The maximum duration of a continuous event, in seconds, on the platform that defines AHAP (Core Haptics).
    public static let maximumDuration = 30.0

    /// The end, in seconds from the pattern's start. The duration of a tap depends on the event's sharpness.
    public var end: Double {
        switch kind {
        case .transient: time + Tap(sharpness: sharpness).seconds
        case .continuous(let duration, _): time + duration
        }
    }
}

/// The envelope of a continuous event, in the normalized units of Core Haptics (0 to 1).
///
/// No supported device can play an envelope. The envelope is kept for writing the pattern to a file.
public struct Envelope: Hashable, Sendable {
    /// The duration of the rise; nil if undefined.
    public var attack: Double?
    /// The duration of the fall of an event that is not sustained; nil if undefined.
    public var decay: Double?
    /// The duration of the fade after the end; nil if undefined.
    public var release: Double?
    /// Whether the event keeps its strength until its end, so that the decay is not used; nil if undefined.
    public var isSustained: Bool?

    /// Creates an envelope. The device chooses undefined values.
    public init(
        attack: Double? = nil, decay: Double? = nil, release: Double? = nil, isSustained: Bool? = nil
    ) {
        self.attack = attack
        self.decay = decay
        self.release = release
        self.isSustained = isSustained
    }

    /// Whether all values are undefined.
    public var isPlain: Bool { self == Envelope() }
}

/// The vibration that represents a tap. The sharpness selects a short or a long vibration, because a vibration motor
/// cannot reproduce more.
public enum Tap: Hashable, Sendable {
    /// A crisp tap.
    case short
    /// A dull tap.
    case long

    /// Selects the vibration for a sharpness.
    public init(sharpness: Double) { self = sharpness >= 0.5 ? .short : .long }

    /// The duration in milliseconds. Most vibration motors barely start in less than 50 ms.
    public var milliseconds: Int { self == .short ? 50 : 100 }

    /// The shortest vibration, and the shortest pause, in milliseconds, with which a wearer can distinguish two taps.
    public static let shortest = 20

    /// Returns the duration of this tap, in milliseconds, that leaves a pause before the next tap. The next tap starts
    /// `distance` milliseconds after this tap. The pause is 50 ms if possible, otherwise half of the distance. Returns
    /// nil if the taps are too close to be distinguished.
    func milliseconds(before distance: Int) -> Int? {
        guard distance >= 2 * Self.shortest else { return nil }
        return min(milliseconds, max(distance - 50, distance / 2))
    }

    var seconds: Double { Double(milliseconds) / 1000 }
}
