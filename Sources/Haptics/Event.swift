/// One thing that is felt: a short tap, or a vibration that lasts.
public struct Event: Hashable, Sendable {
    /// What is felt.
    public enum Kind: Hashable, Sendable {
        /// One short tap.
        case transient
        /// A vibration of so many seconds, and how it comes and goes.
        case continuous(duration: Double, envelope: Envelope = Envelope())
    }

    /// When it begins, in seconds from the pattern's start.
    public var time: Double
    /// What is felt.
    public var kind: Kind
    /// How strong, 0 to 1.
    public var intensity: Double
    /// From dull, 0, to crisp, 1.
    public var sharpness: Double

    /// Makes an event.
    public init(time: Double, _ kind: Kind, intensity: Double, sharpness: Double) {
        self.time = time
        self.kind = kind
        self.intensity = intensity
        self.sharpness = sharpness
    }

    /// The seconds that one continuous event lasts at most on the source platform.
    public static let maximumDuration = 30.0

    /// When it ends, in seconds from the pattern's start, at its own sharpness.
    public var end: Double {
        switch kind {
        case .transient: time + Tap(sharpness: sharpness).seconds
        case .continuous(let duration, _): time + duration
        }
    }
}

/// How a continuous event comes and goes, in the source platform's own normalised measures (0 to 1).
///
/// No device of this bridge renders it; it is kept for the way back into a file.
public struct Envelope: Hashable, Sendable {
    /// How slowly it rises; nil where nothing is said.
    public var attack: Double?
    /// How slowly it falls where it is not sustained; nil where nothing is said.
    public var decay: Double?
    /// How slowly it fades after its end; nil where nothing is said.
    public var release: Double?
    /// Whether it holds its strength; nil where nothing is said.
    public var isSustained: Bool?

    /// Makes an envelope; what is not given is left to the device.
    public init(
        attack: Double? = nil, decay: Double? = nil, release: Double? = nil, isSustained: Bool? = nil
    ) {
        self.attack = attack
        self.decay = decay
        self.release = release
        self.isSustained = isSustained
    }

    /// Whether it says anything.
    public var isPlain: Bool { self == Envelope() }
}

/// How a tap becomes a stretch of vibration: sharpness chooses between a short and a long one, which is as much as a
/// vibration motor can show of it.
public enum Tap: Hashable, Sendable {
    /// A crisp tap.
    case short
    /// A dull tap.
    case long

    /// Chooses by sharpness.
    public init(sharpness: Double) { self = sharpness >= 0.5 ? .short : .long }

    /// How long the motor runs, in milliseconds: below 50 ms most vibration motors hardly start.
    public var milliseconds: Int { self == .short ? 50 : 100 }

    var seconds: Double { Double(milliseconds) / 1000 }
}
