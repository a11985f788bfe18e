import BridgeContract
import DeviceKit
import JSON

extension Contract {
    /// The AsyncAPI 3.0 document, from the bridge's point of view: `send` is a topic that the bridge publishes,
    /// `receive` a topic to which the bridge subscribes.
    var asyncAPI: JSON.Value {
        [
            "asyncapi": "3.0.0",
            "info": [
                "title": "Tactile Bridge", "version": .string("\(Self.version).0.0"),
                "description": .string(
                    "Bluetooth touch and motion devices on MQTT. The version is the contract version in "
                        + "bridge/<bridge>/info. " + Self.payloads),
                "license": ["name": "Apache-2.0", "url": "https://www.apache.org/licenses/LICENSE-2.0"],
            ],
            "defaultContentType": "application/json",
            "channels": .object(JSON.Object(channels.map { ($0.name, .object(describe($0))) })),
            "operations": .object(JSON.Object(channels.map { ($0.name, .object(operation($0))) })),
            "components": [
                "messages": .object(JSON.Object(messages.map { ($0.name, .object(describe($0))) })),
                "schemas": .object(
                    JSON.Object(
                        shared.map { ($0.name, .object($0.schema)) }
                            + messages.map { ($0.name, .object($0.schema)) })),
                "parameters": .object(Self.parameters),
            ],
        ]
    }

    private static let payloads =
        "The payload of a message of content type text/plain is a string without quotes. A command may be text too: a "
        + "payload that is not JSON is a string, without leading and trailing white space."

    private static let schemaFormat: JSON.Value = "application/schema+json;version=draft-07"

    private func describe(_ message: Message) -> JSON.Object {
        var object: JSON.Object = [
            "name": .string(message.name), "summary": .string(message.summary),
            "contentType": .string(message.payload == .text ? "text/plain" : "application/json"),
            "payload": [
                "schemaFormat": Self.schemaFormat, "schema": .object(references.to(message.name)),
            ],
        ]
        if !message.traits.isEmpty {
            object["tags"] = .array(message.traits.map { ["name": .string($0)] })
        }
        object["examples"] = .array(message.examples.map { ["payload": $0] })
        return object
    }

    private func describe(_ channel: Channel) -> JSON.Object {
        var object: JSON.Object = ["address": .string(channel.address)]
        object["messages"] = .object(
            JSON.Object(channel.messages.map { ($0, ["$ref": .string("#/components/messages/\($0)")]) }))
        let names = channel.address.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
            .compactMap { part in
                part.split(separator: "}").first.map(String.init)
            }
        if !names.isEmpty {
            object["parameters"] = .object(
                JSON.Object(names.map { ($0, ["$ref": .string("#/components/parameters/\($0)")]) }))
        }
        return object
    }

    private func operation(_ channel: Channel) -> JSON.Object {
        let reference = "#/channels/\(channel.name)"
        var object: JSON.Object = [
            "action": channel.report == nil ? "receive" : "send", "channel": ["$ref": .string(reference)],
            "messages": .array(
                channel.messages.map { ["$ref": .string("\(reference)/messages/\($0)")] }),
        ]
        if let reply = channel.reply, let answer = channels.first(where: { $0.name == reply }) {
            let answers = "#/channels/\(reply)"
            object["reply"] = [
                "channel": ["$ref": .string(answers)],
                "messages": .array(answer.messages.map { ["$ref": .string("\(answers)/messages/\($0)")] }),
            ]
        }
        let qos = channel.report == .stream || channel.isFleeting ? 0 : 1
        object["bindings"] = [
            "mqtt": [
                "qos": .integer(qos), "retain": .bool(channel.report == .state), "bindingVersion": "0.2.0",
            ]
        ]
        return object
    }

    private static let parameters: JSON.Object = [
        "device": [
            "description": "A device's name, of one level or several, as bridge/<bridge>/devices lists it.",
            "examples": ["belt", "tap/a1b2c3", "hall/left"],
        ],
        "bridge": [
            "description": "The bridge's id.", "examples": ["attic"],
        ],
        "family": [
            "description": "The name of a family of devices.", "examples": ["belt"],
        ],
        "address": [
            "description": "A device's Bluetooth address in lower-case hex without colons.",
            "examples": ["c0ffeea1b2c3"],
        ],
        "group": [
            "description": "The name of a group: all, that of a family, or one of the configuration.",
            "examples": ["all", "all/belts"],
        ],
        "zone": [
            "description": "A zone, from bridge.zone.", "examples": ["upstairs"],
        ],
    ]
}
