import Bluetooth
import BridgeContract
import DeviceCatalog
import DeviceFiles
import DeviceKit
import Foundation
import HostTesting
import JSON
import Testing

@testable import Reference

@Suite("The machine-readable contract")
struct ContractTests {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    /// The families of the bridge, including those of the shipped device files.
    static let families: [any DeviceFamily] = Registry.families + shipped

    private static var shipped: [FileFamily] {
        let folder = root.appending(path: "config/devices")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted().compactMap { name in
            let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
            return text.flatMap { try? DeviceFile.read($0, file: name) }.map { FileFamily($0.file) }
        }
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: "docs/reference/\(path)"), encoding: .utf8)
    }

    /// Runs the script that validates documents and payloads with client libraries; returns its last lines.
    @discardableResult
    static func validate(_ arguments: [String], input: String? = nil) throws -> String {
        let folder = try TemporaryDirectory()
        let python = root.appending(path: ".build/python").path
        let file = try folder.write(input ?? "", to: "lines")
        let words = ["python3", root.appending(path: "Tests/Contract/validate.py").path] + arguments
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        return try TestProcess.run(["sh", "-c", "PYTHONPATH='\(python)' exec \(line) < '\(file)'"])
    }

    @Test("According to client libraries, the documents are valid and closed, and their examples are valid")
    func documents() throws {
        let folder = try TemporaryDirectory()
        let schemas = Contract.document(.jsonSchema, Self.families).page
        let asyncAPI = Contract.document(.asyncAPI, Self.families).page
        let report = try Self.validate([
            "documents", folder.write(schemas, to: "schemas.json"),
            folder.write(asyncAPI, to: "asyncapi.json"),
        ])
        print(report)
    }

    @Test("Each topic of the reference is in the contract")
    func complete() {
        let contract = Contract(Self.families, .definitions)
        let addresses = Set(contract.channels.map(\.address))
        for section in TopicReference(Self.families).sections where section.name != "groups" {
            for entry in section.entries {
                let topic = Self.address(of: entry.topic, in: section.name)
                if topic == "bridge/{bridge}/response/{request}" { continue }
                #expect(addresses.contains(topic), "\(topic)")
            }
        }
        #expect(Set(contract.channels.map(\.name)).count == contract.channels.count)
    }

    /// The topic of a page, `belt/mode/set`, in the form of the contract: `{device}/mode/set`.
    private static func address(of topic: String, in section: String) -> String {
        let levels = topic.replacing("<id>", with: "").split(separator: "/").map(String.init)
        if section == "bridge" || section == "groups" {
            return topic.replacing("<", with: "{").replacing(">", with: "}")
        }
        return (["{device}"] + levels.dropFirst()).joined(separator: "/")
    }

    @Test("An installation has the topics of its devices and groups under their names")
    func installation() throws {
        var settings = BridgeSettings(id: "attic", version: "", homeAssistant: nil)
        settings.baseTopic = "home"
        settings.devices = [
            .init(name: "hall/left", family: "belt", address: Address(number: 1)),
            .init(name: "pen", family: "tap", address: Address(number: 2)),
        ]
        settings.groups = [.init(name: "hall", members: ["hall/left"])]
        let contract = Contract(Self.families, .definitions, of: settings)
        let addresses = Set(contract.channels.map(\.address))
        #expect(
            addresses.isSuperset(of: [
                "home/hall/left/mode/set", "home/hall/left/result", "home/pen/tapped", "home/all/stop/set",
                "home/all/belts/vibrate/set", "home/hall/result", "home/bridge/attic/info",
                "home/bridge/attic/request/permit_join",
            ]))
        #expect(!addresses.contains { $0.contains("drive") || $0.contains("{device}") })
        #expect(addresses.count == contract.channels.count)
        #expect(Set(contract.channels.map(\.name)).count == contract.channels.count)
    }

    @Test("A report and a request with the same name are both in the JSON of the topics")
    func sharedName() throws {
        let json = try JSON.Value(parsing: Array(TopicReference(Self.families).json.utf8))
        let devices = try #require(json["bridge"]?["devices"])
        #expect(devices["topic"] == "bridge/attic/devices" && devices["kind"] == "state")
        #expect(devices["set"]?["topic"] == "bridge/attic/request/devices")
        #expect(devices["set"]?["summary"] == "Answers with the list of devices.")
    }
}
