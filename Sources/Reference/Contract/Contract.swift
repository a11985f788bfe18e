package import BridgeContract
package import DeviceKit
package import JSON

/// Everything that is said and taken over MQTT, for machines: the topics, and the schema of each one's messages.
///
/// It follows from declared features, like the reference that people read.
package struct Contract: Sendable {
    /// How a payload becomes the value that a schema describes.
    enum Payload: String {
        /// The payload is JSON.
        case json
        /// The payload is text, which the schema sees as a string.
        case text
        /// The payload is JSON where it can be read as that, else text.
        case either
    }

    /// What may stand in one message.
    struct Message {
        /// Its name: `belt-mode-set`.
        var name: String
        /// One sentence.
        var summary: String
        var payload: Payload
        var schema: JSON.Object
        /// Literal payloads, as the schema sees them.
        var examples: [JSON.Value]
        /// What the bridge does with it, besides: `private`, traits.
        var traits: [String] = []
    }

    /// One topic.
    struct Channel {
        /// Its name: that of its message where all topics of a kind share one.
        var name: String
        /// The topic, with `{device}` and the like where names differ.
        var address: String
        /// The names of its messages, as keys of ``Contract/messages``.
        var messages: [String]
        /// What the bridge publishes there; nil for a topic on which it listens.
        var report: Report.Kind?
        /// Whether commands on it are subscribed at QoS 0.
        var isFleeting = false
        /// The name of the channel on which what comes here is answered.
        var reply: String?
    }

    /// The version of the topics.
    package static let version = BridgeFeatures.contract

    let references: SchemaReferences
    private(set) var messages: [Message] = []
    private(set) var channels: [Channel] = []

    mutating func add(_ message: Message) {
        guard !messages.contains(where: { $0.name == message.name }) else { return }
        messages.append(message)
    }

    mutating func add(_ channel: Channel) { channels.append(channel) }

    /// How a document names what stands in it.
    package enum Format: Sendable {
        case jsonSchema, asyncAPI

        fileprivate var references: SchemaReferences { self == .asyncAPI ? .components : .definitions }
    }

    /// The document.
    package static func document(
        _ format: Format, _ families: [any DeviceFamily], of settings: BridgeSettings? = nil
    ) -> JSON.Value {
        let contract =
            settings.map { Contract(families, format.references, of: $0) }
            ?? Contract(families, format.references)
        return format == .asyncAPI ? contract.asyncAPI : contract.jsonSchema
    }

    /// What everything looks like, wherever it is installed: `{device}`, `{bridge}` and `{group}` stand for names.
    init(_ families: [any DeviceFamily], _ references: SchemaReferences) {
        self.references = references
        addDeviceMessages(families)
        for family in families { addDevice(nil, family) }
        addGroup("{group}", "group", families)
        addEverything("")
        addBridge("{bridge}", families, "")
    }

    /// What one installation has: the devices and groups of its configuration.
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
        for group in settings.groups {
            let names = Set(group.members.compactMap { familyNames[$0] })
            addGroup(
                prefix + group.name, group.name.replacing("/", with: "--"),
                used.filter { names.contains($0.name) })
        }
        addEverything(prefix)
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
    /// Whether a report is plain text.
    fileprivate static func payload(_ report: Report) -> Payload {
        guard case .plain(let type, _) = report.payload else { return .json }
        switch type {
        case .choice, .text, .form, .time: return .text
        default: return .json
        }
    }
}

extension JSON.Value {
    /// An example of an event as it arrives: the session stamps it.
    fileprivate func stamped(_ report: Report) -> JSON.Value {
        guard report.kind == .event, case .object(var object) = self else { return self }
        object["time"] = object["time"] ?? "2026-01-31T12:00:00.000Z"
        object["seq"] = object["seq"] ?? 1
        return .object(object)
    }
}
