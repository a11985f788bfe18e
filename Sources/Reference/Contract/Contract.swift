package import BridgeContract
package import DeviceKit
package import JSON

/// All messages over MQTT, in machine-readable form: the topics, and the schemas of their messages.
///
/// The contract is generated from the declared features, like the reference for users.
package struct Contract: Sendable {
    /// How a payload is converted to the value that a schema describes.
    enum Payload: String {
        /// The payload is JSON.
        case json
        /// The payload is text. The schema describes it as a JSON string.
        case text
        /// The payload is JSON if it can be parsed, otherwise text.
        case either
    }

    struct Message {
        /// The name of the message: `belt-mode-set`.
        var name: String
        /// A description in one sentence.
        var summary: String
        var payload: Payload
        var schema: JSON.Object
        /// Examples of payloads, as the values that the schema describes.
        var examples: [JSON.Value]
        /// The traits of a command, or `private` for a private report.
        var traits: [String] = []
    }

    /// A topic with its messages.
    struct Channel {
        /// The name of the channel, derived from the names of device and feature: `belt-mode-set`.
        var name: String
        /// The topic, with parameters such as `{device}` for names.
        var address: String
        /// The names of the channel's messages, as in ``Contract/messages``.
        var messages: [String]
        /// The kind of the report that the bridge publishes on the topic; nil for a topic to which the bridge
        /// subscribes.
        var report: Report.Kind?
        /// Whether the bridge subscribes to the topic with QoS 0 (``Command/Traits/fleeting``).
        var isFleeting = false
        /// The name of the channel on which the bridge publishes answers.
        var reply: String?
    }

    /// The version of the contract: of the topics and their messages.
    package static let version = BridgeFeatures.contract

    let references: SchemaReferences
    private(set) var messages: [Message] = []
    private(set) var channels: [Channel] = []

    mutating func add(_ message: Message) {
        guard !messages.contains(where: { $0.name == message.name }) else { return }
        messages.append(message)
    }

    mutating func add(_ channel: Channel) { channels.append(channel) }

    package enum Format: Sendable {
        case jsonSchema, asyncAPI

        fileprivate var references: SchemaReferences { self == .asyncAPI ? .components : .definitions }
    }

    /// Returns the contract as a document in a format.
    package static func document(
        _ format: Format, _ families: [any DeviceFamily], of settings: BridgeSettings? = nil
    ) -> JSON.Value {
        let contract =
            settings.map { Contract(families, format.references, of: $0) }
            ?? Contract(families, format.references)
        return format == .asyncAPI ? contract.asyncAPI : contract.jsonSchema
    }

    /// Creates the contract of any installation: `{device}`, `{bridge}` and `{group}` are parameters for names.
    init(_ families: [any DeviceFamily], _ references: SchemaReferences) {
        self.references = references
        addDeviceMessages(families)
        for family in families { addDevice(nil, family) }
        addGroup("{group}", "group", families)
        addStop(of: GroupFeatures.everything, "all", GroupFeatures.stop)
        addGroup(GroupFeatures.zone("{zone}"), "zone", families)
        addStop(of: GroupFeatures.zone("{zone}"), "zone", GroupFeatures.zoneStop)
        addBridge("{bridge}", families, "")
    }

    /// Creates the contract of one installation, with the devices and groups of its configuration.
    init(_ families: [any DeviceFamily], _ references: SchemaReferences, of settings: BridgeSettings) {
        self.references = references
        let prefix = settings.baseTopic.isEmpty ? "" : settings.baseTopic + "/"
        let used = families.filter { family in settings.devices.contains { $0.family == family.name } }
        addDeviceMessages(used)
        for device in settings.devices {
            guard let family = used.named(device.family) else { continue }
            addDevice((device.name, prefix), family)
        }
        let familyNames = Dictionary(settings.devices.map { ($0.name, $0.family) }) { first, _ in first }
        let builtIn = zip(GroupFeatures.builtInNames(families), [nil] + families.map { Optional($0.name) })
        for (name, family) in builtIn {
            let members = used.filter { family == nil || $0.name == family }
            if !members.isEmpty { addGroup(prefix + name, name.replacing("/", with: "--"), members) }
        }
        if !settings.zone.isEmpty {
            let zone = prefix + GroupFeatures.zone(settings.zone)
            addGroup(zone, "zone", used)
            addStop(of: zone, "zone", GroupFeatures.zoneStop)
        }
        for group in settings.groups {
            let names = Set(group.members.compactMap { familyNames[$0] })
            addGroup(
                prefix + group.name, group.name.replacing("/", with: "--"),
                used.filter { names.contains($0.name) })
        }
        addStop(of: prefix + GroupFeatures.everything, "all", GroupFeatures.stop)
        addBridge(settings.id, families, prefix)
    }
}

extension Contract.Message {
    init(_ name: String, _ feature: Feature, _ report: Report, _ schema: JSON.Object) {
        self.init(
            name: name, summary: feature.summary, payload: Contract.payload(report), schema: schema,
            examples: ([report.example] + report.alternatives).map { $0.stamped(report) },
            traits: feature.isPrivate ? ["private"] : [])
    }

    init(_ name: String, _ feature: Feature, _ command: Command, _ references: SchemaReferences) {
        self.init(
            name: name, summary: feature.summary, payload: .either,
            schema: CommandSchema(command, references).schema, examples: [command.example],
            traits: command.traits.names)
    }
}

extension Contract {
    /// Returns how the payload of a report is converted to a value.
    fileprivate static func payload(_ report: Report) -> Payload {
        guard case .plain(let type, _) = report.payload else { return .json }
        switch type {
        case .choice, .text, .form, .time: return .text
        default: return .json
        }
    }
}

extension JSON.Value {
    /// Returns an example of an event with the fields that the bridge adds to every event: `time` and `seq`.
    fileprivate func stamped(_ report: Report) -> JSON.Value {
        guard report.kind == .event, case .object(var object) = self else { return self }
        object["time"] = object["time"] ?? "2026-01-31T12:00:00.000Z"
        object["seq"] = object["seq"] ?? 1
        return .object(object)
    }
}
