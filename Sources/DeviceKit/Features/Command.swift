public import JSON

/// Declares the command that a device accepts under `<device>/<feature>/set`.
public struct Command: Hashable, Sendable {
    /// A short form of the payload that clients can send in place of the complete JSON object.
    public enum Shorthand: Hashable, Sendable {
        /// The payload is only the value of this field: `app` in place of `{"mode":"app"}`.
        case field(String)
        /// The payload is only the value of this field. The resulting object also has these members.
        case completed(String, JSON.Object)
        /// The payload is this word, which stands for an object with these members.
        case word(String, JSON.Object)
    }

    /// A rule about several fields.
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
        /// The rule applies if the key is given.
        case given(String, Rule)
        /// The rule applies if the key has one of these values, given or by default.
        case when(String, is: [JSON.Value], Rule)
        /// The rule applies if the key has a value, given or by default, that is not one of these.
        case unless(String, is: [JSON.Value], Rule)
    }

    /// How a command is queued, and what happens to it while the device is offline.
    public struct Traits: OptionSet, Hashable, Sendable {
        /// The raw bits. They appear in no topic and no file, so they can change.
        public let rawValue: Int
        /// Creates traits from raw bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Of several queued commands, only the newest is sent. A successful command is answered only if its sender
        /// requests an answer, by an `id` or a Response Topic of MQTT 5.
        public static let latest = Traits(rawValue: 1)
        /// The command is accepted while the device is offline, kept in memory, and carried out when the device is
        /// online again.
        public static let kept = Traits(rawValue: 2)
        /// The command is a stop. It is obeyed even if it is retained, expired or unreadable, and however many commands
        /// are queued. An unreadable payload is a full stop, which drops all queued commands of the device. While the
        /// device is offline, a stop is refused like any other command, unless it is also ``kept``.
        public static let stop = Traits(rawValue: 4)
        /// The bridge subscribes to the command's topic at QoS 0, so that a slow connection cannot queue old commands
        /// ahead of a stop.
        public static let fleeting = Traits(rawValue: 8)
        /// The command requires an object with `"confirm":true`, because it cannot easily be undone.
        public static let confirmed = Traits(rawValue: 16)
        /// The command can injure people: it sets something heavy or sharp in motion, or makes such motion possible.
        public static let hazardous = Traits(rawValue: 32)
    }

    /// The keys of the object.
    public var fields: [Field]
    /// The short payloads that clients can send in place of the object.
    public var shorthands: [Shorthand]
    /// The object that an empty payload stands for; nil if an empty payload is refused.
    public var empty: JSON.Object?
    /// Rules about several keys.
    public var rules: [Rule]
    /// How commands are queued and delivered.
    public var traits: Traits
    /// The additional fields of a successful answer.
    public var answers: [Field]
    /// An example of a payload, for the command line that the reference of topics shows.
    public var example: JSON.Value
    /// A payload that makes a hazardous device stand still; nil if ``suggestion`` can derive one from the fields, or if
    /// there is none.
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
