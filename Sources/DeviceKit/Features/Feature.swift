public import JSON

/// Declares one thing that a device reports or can do: the topic `<device>/<name>`, the command topic
/// `<device>/<name>/set`, or both.
public struct Feature: Hashable, Sendable {
    /// The last level of the topic.
    public var name: String
    /// A description in one sentence for users.
    public var summary: String
    /// The report that the device publishes under this name; nil if the feature only has a command.
    public var report: Report?
    /// The command that the device accepts under this name; nil if the feature only has a report.
    public var command: Command?
    /// How home automation shows the feature; empty for a feature that is only for programs.
    public var presentations: [Presentation]
    /// Whether the reports contain text that the user types or speaks. Access lists keep other readers from such
    /// reports.
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

    /// Returns the same feature with private reports.
    public var keptPrivate: Feature {
        var feature = self
        feature.isPrivate = true
        return feature
    }
}

/// Declares what a device publishes under a feature's name.
public struct Report: Hashable, Sendable {
    /// How long a message is relevant. The kind determines the retain flag, the quality of service, and which messages
    /// a full queue drops.
    public enum Kind: String, Hashable, Sendable {
        /// Retained, QoS 1. Published on change, and again after every reconnect to the broker.
        case state
        /// Not retained, QoS 1. Has `time` and `seq`, and is never dropped without notice.
        case event
        /// Not retained, QoS 0. The oldest messages are dropped if the broker is slow.
        case stream
    }

    /// The shape of the payload.
    public enum Payload: Hashable, Sendable {
        /// One value in plain text: `app`, `60`, `true`.
        case plain(FieldType, unit: String?)
        /// One JSON object.
        case object([Field])
    }

    /// How long a message is relevant.
    public var kind: Kind
    /// The shape of the payload.
    public var payload: Payload
    /// A literal example, which a test checks against the declaration.
    public var example: JSON.Value
    /// Literal examples of other messages, if the fields of an object do not all occur together.
    public var alternatives: [JSON.Value]
    /// Whether a plain value can be `null`, for a value that the device does not know. Fields of objects have their own
    /// declaration, ``Field/isNullable``.
    public var isNullable = false
    /// Whether a message contains only those declared fields that the device has. The bridge learns which fields these
    /// are when the device sends them.
    public var isPartial = false
    /// Whether a message can be an array of several values. A setting of the family determines whether the bridge
    /// publishes arrays.
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
