public import JSON

/// Declares one thing that a device says or does: the topic `<device>/<name>`, its `/set`, or both.
public struct Feature: Hashable, Sendable {
    /// The last level of the topic.
    public var name: String
    /// One sentence for a person.
    public var summary: String
    /// What the device says under this name; nil where it only takes commands.
    public var report: Report?
    /// What the device takes under this name; nil where it only speaks.
    public var command: Command?
    /// How a person at home meets it; empty for what is left to programs.
    public var presentations: [Presentation]
    /// Whether its reports tell what a person types or says, and so are not for everybody who may look on.
    public var isPrivate = false

    /// Declares a feature with a report, a command, or both.
    public init(
        _ name: String, _ summary: String, report: Report? = nil, command: Command? = nil,
        shown presentations: [Presentation] = []
    ) {
        self.name = name
        self.summary = summary
        self.report = report
        self.command = command
        self.presentations = presentations
    }

    /// The same feature, its reports not for everybody who may look on.
    public var keptPrivate: Feature {
        var feature = self
        feature.isPrivate = true
        return feature
    }
}

/// Declares what a device publishes under a feature's name.
public struct Report: Hashable, Sendable {
    /// How long a message matters, which decides retain flag, quality of service and what a full queue drops.
    public enum Kind: String, Hashable, Sendable {
        /// Retained, QoS 1, published on change and again after every connect to the broker.
        case state
        /// Not retained, QoS 1, stamped with `time` and `seq`, never dropped silently.
        case event
        /// Not retained, QoS 0, the oldest dropped when the broker is slow.
        case stream
    }

    /// What the payload looks like.
    public enum Payload: Hashable, Sendable {
        /// One value in plain text: `app`, `60`, `true`.
        case plain(FieldType, unit: String?)
        /// One JSON object.
        case object([Field])
    }

    /// How long a message matters.
    public var kind: Kind
    /// What the payload looks like.
    public var payload: Payload
    /// A literal example, tested against the declaration.
    public var example: JSON.Value
    /// Literal examples of what else a message can look like, where an object's fields do not all come together.
    public var alternatives: [JSON.Value]
    /// Whether a plain value can be null, where the device does not know it; fields of objects say so themselves.
    public var isNullable = false
    /// Whether a message may be an array of several, as a setting of the family asks for.
    public var isBatched = false

    /// Declares a report whose payload is one plain value.
    public init(_ kind: Kind, _ type: FieldType, unit: String? = nil, example: JSON.Value) {
        self.kind = kind
        self.payload = .plain(type, unit: unit)
        self.example = example
        alternatives = []
    }

    /// Declares a report whose payload is one object.
    public init(_ kind: Kind, _ fields: [Field], example: JSON.Value, alternatives: [JSON.Value] = []) {
        self.kind = kind
        self.payload = .object(fields)
        self.example = example
        self.alternatives = alternatives
    }
}
