import BridgeContract
import DeviceKit
import JSON

extension Contract {
    /// The schemas that messages refer to, by name.
    var shared: [(name: String, schema: JSON.Object)] {
        [(SchemaReferences.timeName, SchemaReferences.timeSchema)]
            + FeatureReference.schemas { .object(references.to($0)) }
    }

    /// The contract as one JSON Schema document (draft 2020-12). `x-topics` lists each topic with the schemas of its
    /// messages; the schemas are under `$defs`.
    var jsonSchema: JSON.Value {
        var definitions = JSON.Object()
        for (name, schema) in shared { definitions[name] = .object(schema) }
        for message in messages {
            var schema: JSON.Object = [
                "title": .string(message.name), "description": .string(message.summary),
            ]
            for member in message.schema.members { schema[member.key] = member.value }
            schema["examples"] = .array(message.examples)
            schema["x-payload"] = .string(message.payload.rawValue)
            if !message.traits.isEmpty { schema["x-traits"] = .array(message.traits.map { .string($0) }) }
            definitions[message.name] = .object(schema)
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .string("Tactile Bridge, contract \(Self.version)"),
            "description": .string(Self.reading),
            "x-contract": .integer(Self.version),
            "x-topics": .array(channels.map { .object(topic($0)) }),
            "$defs": .object(definitions),
        ]
    }

    private func topic(_ channel: Channel) -> JSON.Object {
        var object: JSON.Object = [
            "topic": .string(channel.address), "kind": .string(channel.report?.rawValue ?? "command"),
            "schemas": .array(channel.messages.map { .string(references.prefix + $0) }),
        ]
        if let reply = channel.reply.flatMap({ name in channels.first { $0.name == name } }) {
            object["answered"] = .string(reply.address)
        }
        return object
    }

    /// The description of the document: how to find the schema of a message, and how to parse a payload.
    static let reading =
        "x-topics lists each topic with the schemas of its messages; a message matches one of them. x-payload states "
        + "how to convert a payload to the value of a schema: json: parse it; text: use it as a string; either: remove "
        + "white space at both ends, then parse it, or use it as a string if that fails. An empty payload "
        + "on the topic of a state clears it."
}
