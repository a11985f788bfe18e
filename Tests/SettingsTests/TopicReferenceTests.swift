import BridgeContract
import DeviceCatalog
import DeviceKit
import JSON
import Testing

@testable import BridgeConfiguration
@testable import Reference

@Suite("The reference of topics")
struct TopicReferenceTests {
    private let reference = TopicReference([LampFamily()])

    @Test("The reference contains every topic of devices, families, groups and the bridge")
    func topics() {
        #expect(reference.sections.map(\.name) == ["device", "lamp", "groups", "bridge"])
        #expect(
            reference.sections.map { $0.entries.map(\.topic) } == [
                [
                    "<device>/availability", "<device>/connection", "<device>/last_seen", "<device>/features",
                    "<device>/info",
                    "<device>/result",
                ],
                ["lamp/<id>/light", "lamp/<id>/light/set", "lamp/<id>/touched"],
                ["<group>/<feature>/set", "<group>/result", "all/stop/set", "zone/<zone>/stop/set"],
                [
                    "bridge/<bridge>/availability", "bridge/<bridge>/heartbeat", "bridge/<bridge>/info",
                    "bridge/<bridge>/devices",
                    "bridge/<bridge>/groups", "bridge/<bridge>/families", "bridge/<bridge>/patterns",
                    "bridge/<bridge>/event", "bridge/<bridge>/stats", "bridge/<bridge>/log",
                    "bridge/<bridge>/echo", "bridge/<bridge>/offer",
                ] + BridgeFeatures.requests([LampFamily()]).map { "bridge/<bridge>/request/\($0.name)" }
                    + [
                        "bridge/<bridge>/groups/<group>", "bridge/<bridge>/features/<family>",
                        "bridge/<bridge>/response/<request>",
                        "claim/<address>", "roster/<address>", "roster/groups",
                    ],
            ])
    }

    @Test("A command has a shell line without placeholders; an event has its time and number")
    func examples() throws {
        let entries = reference.sections.flatMap(\.entries)
        let command = try #require(entries.first { $0.topic == "lamp/<id>/light/set" })
        #expect(command.line == "mosquitto_pub -t lamp/a1b2c3/light/set -m on")
        #expect(command.kind == "command, latest")
        #expect(command.forms == ["a bare light", "the word toggle"])
        let event = try #require(entries.first { $0.topic == "lamp/<id>/touched" })
        #expect(event.example == #"{"place":90,"time":"2026-01-31T12:00:00.000Z","seq":1}"#)
        for entry in entries {
            #expect(entry.line?.contains("<") != true, "\(entry.topic)")
            #expect(!entry.summary.isEmpty && !entry.example.isEmpty, "\(entry.topic)")
        }
    }

    @Test("The shell lines use the broker and the base topic of a configuration")
    func broker() throws {
        let environment = [
            "TACTILE_BRIDGE_MQTT_HOST": "b.example", "TACTILE_BRIDGE_MQTT_PORT": "1999",
            "TACTILE_BRIDGE_MQTT_BASE_TOPIC": "my home",
        ]
        let loader = SettingsLoader(
            families: [LampFamily()], host: Host(environment: environment, name: "attic"),
            usualFile: "/nonexistent")
        var reference = reference
        reference.lead(to: try loader.load().settings.mqtt)
        let entries = reference.sections.flatMap(\.entries)
        #expect(
            entries.first { $0.topic == "lamp/<id>/light/set" }?.line
                == "mosquitto_pub -h b.example -p 1999 -t 'my home/lamp/a1b2c3/light/set' -m on")
        #expect(entries.allSatisfy { $0.line?.hasPrefix("mosquitto_pub -h b.example") ?? true })
    }

    @Test("A reference of one family contains only its topics")
    func oneFamily() {
        #expect(TopicReference(only: [LampFamily()]).sections.map(\.name) == ["lamp"])
    }

    @Test("Text, Markdown and JSON contain each topic once")
    func formats() throws {
        for entry in reference.sections.flatMap(\.entries) {
            #expect(reference.text.split(separator: "\n").count { $0.hasPrefix("\(entry.topic)  (") } == 1)
            let lines = reference.markdown.split(separator: "\n")
            #expect(lines.count { $0 == "### `\(entry.topic)`" } == 1)
            #expect(lines.count { $0.hasPrefix("| [`\(entry.topic)`](#") } == 1)
        }
        let rows = reference.markdown.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.allSatisfy { $0.replacing("\\|", with: "").count { $0 == "|" } == 4 })
        let json = try JSON.Value(parsing: Array(reference.json.utf8))
        #expect(json["lamp"]?["light"]?["set"]?["topic"] == "lamp/a1b2c3/light/set")
        #expect(json["device"]?["connection"]?["fields"]?["rssi"]?["unit"] == "dBm")
        #expect(json["bridge"]?["permit_join"]?["set"]?["topic"] == "bridge/attic/request/permit_join")
    }

    @Test("The Markdown lists the fields of objects and lists, and links each topic to its heading")
    func markdown() {
        let markdown = TopicReference(Registry.families).markdown
        #expect(markdown.contains("| `sensors.fusion` | a whole number 0...3, or null |"))
        #expect(markdown.contains("| `steps[].hz` | "))
        #expect(markdown.contains("[`belt/heading_offset/set`](#beltheading_offsetset)"))
        #expect(markdown.contains("[`<device>/last_seen`](#devicelast_seen)"))
    }

    @Test("Every example matches its declaration")
    func declared() throws {
        let features =
            DeviceFeatures.all + BridgeFeatures.reports + BridgeFeatures.requests(Registry.families)
            + Registry.families.flatMap(\.features)
        for feature in features {
            switch feature.report?.payload {
            case .object(let fields):
                let example = try #require(feature.report?.example.object)
                #expect(throws: Never.self, "\(feature.name)") { try fields.check(example) }
            case .plain(let type, _):
                let example = try #require(feature.report?.example)
                #expect(throws: Never.self, "\(feature.name)") { try type.check(example, path: feature.name) }
            case nil: break
            }
            if let command = feature.command {
                #expect(throws: Never.self, "\(feature.name)") { try command.parse(command.example.payload) }
            }
        }
        #expect(throws: Never.self) {
            guard case .object(let fields) = BridgeFeatures.response.payload else { return }
            // The additional fields of a success depend on the request.
            var example = BridgeFeatures.response.example.object ?? [:]
            example["seconds"] = nil
            example["max"] = nil
            _ = try fields.check(example)
        }
    }
}

extension JSON.Value {
    /// The value in the form that a user sends.
    fileprivate var payload: [UInt8] { string.map { Array($0.utf8) } ?? bytes }
}
