public import JSON

/// Declares what a device takes under `<device>/<feature>/set`.
public struct Command: Hashable, Sendable {
    /// A payload that stands for an object.
    public enum Shorthand: Hashable, Sendable {
        /// The bare value of this field.
        case field(String)
        /// The bare value of this field, which stands for it beside these members.
        case completed(String, JSON.Object)
        /// One word, which stands for these members.
        case word(String, JSON.Object)
    }

    /// A rule between fields.
    public indirect enum Rule: Hashable, Sendable {
        /// At most one of these keys may be given.
        case atMostOne([String])
        /// One of these keys must be given, and only one.
        case exactlyOne([String])
        /// At least one of these keys must be given.
        case atLeastOne([String])
        /// All of these keys must be given.
        case requires([String])
        /// None of these keys may be given.
        case excludes([String])
        /// At least one of these keys must have the value.
        case anyIs([String], JSON.Value)
        /// The rule holds where the key is given.
        case given(String, Rule)
        /// The rule holds where the key has one of these values, by itself or by its default.
        case when(String, is: [JSON.Value], Rule)
        /// The rule holds where the key has a value, by itself or by its default, that is none of these.
        case unless(String, is: [JSON.Value], Rule)
    }

    /// What is done with a command when several wait, and when the device is away.
    public struct Traits: OptionSet, Hashable, Sendable {
        /// The bits; not part of any interface.
        public let rawValue: Int
        /// Makes a set of bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Of several that wait only the newest is sent; silent on success unless asked.
        public static let latest = Traits(rawValue: 1)
        /// Taken while the device is away, kept in memory, and carried out when it is back.
        public static let kept = Traits(rawValue: 2)
        /// A stop: obeyed whatever the payload (one that cannot be read means the whole stop), even retained
        /// or expired, and however much waits; what waited for the device is dropped for a whole stop. While
        /// the device is away it is refused as any command is, unless it is kept too.
        public static let stop = Traits(rawValue: 4)
        /// Subscribed at QoS 0, so that a slow moment cannot queue old commands ahead of a stop.
        public static let fleeting = Traits(rawValue: 8)
        /// Needs `"confirm":true` in an object, since it cannot easily be undone.
        public static let confirmed = Traits(rawValue: 16)
        /// Can hurt a person: sets something heavy or sharp in motion, or makes that possible.
        public static let hazardous = Traits(rawValue: 32)
    }

    /// The keys of the object.
    public var fields: [Field]
    /// What may stand instead of the object.
    public var shorthands: [Shorthand]
    /// What an empty payload stands for; nil refuses it.
    public var empty: JSON.Object?
    /// Rules between the keys.
    public var rules: [Rule]
    /// How it behaves in time.
    public var traits: Traits
    /// What the answer to a success says besides what every answer says.
    public var answers: [Field]
    /// A payload to try, for the reference's ready-made line.
    public var example: JSON.Value
    /// A payload by which a device that can hurt a person stands still; nil for one that follows from the fields, or
    /// for none.
    public var rest: JSON.Value?

    /// Declares a command.
    public init(
        _ fields: [Field], shorthands: [Shorthand] = [], empty: JSON.Object? = nil, rules: [Rule] = [],
        traits: Traits = [], answers: [Field] = [], example: JSON.Value, rest: JSON.Value? = nil
    ) {
        self.fields = fields
        self.shorthands = shorthands
        self.empty = empty
        self.rules = rules
        self.traits = traits
        self.answers = answers
        self.example = example
        self.rest = rest
    }
}
