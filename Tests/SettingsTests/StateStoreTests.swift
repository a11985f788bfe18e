import Bluetooth
import BridgeContract
import Foundation
import JSON
import Logging
import Testing

@testable import StateFiles

@Suite("The state file")
struct StateStoreTests {
    private static let state = BridgeState(
        devices: [
            .init(address: "AA:BB:CC:DD:EE:01", family: "belt", name: "belt", memory: ["mode": "app"]),
            .init(
                address: "AA:BB:CC:DD:EE:02", family: "tap", name: "tap/grün", isJoined: false,
                formerNames: ["tap/b2", "tap"]),
        ], retainedTopics: ["belt/battery", "belt/mode", "with \"quotes\""])
    private static let older = BridgeState(retainedTopics: ["old"])

    private func store(_ scope: ConfigurationScope, _ folder: String = "state") -> FileStateStore {
        FileStateStore(
            folder: "\(scope.folder)/\(folder)", files: FileThread.loop,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func files(_ scope: ConfigurationScope) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(scope.folder)/state").sorted()
    }

    @Test("The state is empty at first; a saved state exists after a restart, in a readable file")
    func roundTrip() async throws {
        try await ConfigurationScope.with { scope in
            #expect(await store(scope, "state/deep").load() == BridgeState())
            await store(scope, "state/deep").save(Self.state)
            #expect(await store(scope, "state/deep").load() == Self.state)
            let text = try String(contentsOfFile: "\(scope.folder)/state/deep/state.json", encoding: .utf8)
            #expect(
                text == """
                    {
                      "version": 1,
                      "devices": [
                        {"address":"AA:BB:CC:DD:EE:01","family":"belt","name":"belt","joined":true,"held":false,"former_names":[],"memory":{"mode":"app"}},
                        {"address":"AA:BB:CC:DD:EE:02","family":"tap","name":"tap/grün","joined":false,"held":false,"former_names":["tap/b2","tap"],"memory":{}}
                      ],
                      "retained_topics": [
                        "belt/battery",
                        "belt/mode",
                        "with \\"quotes\\""
                      ]
                    }

                    """)
        }
    }

    @Test("Requested defaults and the admission of a device as a keyboard are saved")
    func requested() async throws {
        try await ConfigurationScope.with { scope in
            var state = Self.state
            state.defaults = ["tap": ["default_input_mode": "raw"], "belt": [:]]
            state[state.devices[0].address]?.isInput = true
            await store(scope).save(state)
            #expect(await store(scope).load() == state)
        }
    }

    @Test("A file cut after any byte is set aside with its reason, and at most the last change is lost")
    func truncation() async throws {
        let state = BridgeState(devices: [Self.state.devices[1]], retainedTopics: ["belt/mode"])
        let bytes = StateDocument.bytes(state)
        let before = String(decoding: StateDocument.bytes(Self.older), as: UTF8.self)
        try await ConfigurationScope.with { scope in
            let folder = "\(scope.folder)/state"
            for count in 0..<bytes.count {
                try? FileManager.default.removeItem(atPath: folder)
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try scope.write("state/state.json.before", before)
                try Data(bytes[..<count]).write(to: URL(filePath: "\(folder)/state.json"))
                let loaded = await store(scope).load()
                guard count < bytes.count - 1 else {
                    // Only the final line break can be missing without harm.
                    return #expect(loaded == state)
                }
                #expect(loaded == Self.older, "cut after \(count) bytes")
                let files = try files(scope)
                #expect(files == ["state.json.before", "state.json.damaged", "state.json.damaged.reason"])
                let kept = try Data(contentsOf: URL(filePath: "\(folder)/state.json.damaged"))
                #expect(kept == Data(bytes[..<count]))
            }
        }
    }

    @Test("Saving and loading continue after damage")
    func recovery() async throws {
        try await ConfigurationScope.with { scope in
            await store(scope).save(Self.older)
            await store(scope).save(Self.state)
            try scope.write("state/state.json", "{")
            #expect(await store(scope).load() == Self.older)
            await store(scope).save(Self.state)
            #expect(await store(scope).load() == Self.state)
        }
    }

    @Test(
        "A file that is not a state is set aside with the reason",
        arguments: [
            ("[]", "the key version is missing"),
            ("{\"version\":2}", "version 2, but this program supports 1"),
            ("{\"version\":1}", "the list devices or retained_topics is missing"),
            (
                "{\"version\":1,\"devices\":[{\"address\":\"x\"}],\"retained_topics\":[]}",
                "devices[0]: address, family, name or memory is missing"
            ),
            ("{\"version\":1,\"devices\":[],\"retained_topics\":[1]}", "retained_topics[0]: not text"),
            ("\u{FF}\u{0}", "not valid JSON: expected a value, at byte 0"),
        ])
    func damage(_ text: String, _ reason: String) async throws {
        try await ConfigurationScope.with { scope in
            await store(scope).save(Self.older)
            try scope.write("state/state.json", text)
            #expect(await store(scope).load() == BridgeState())
            let said = try String(
                contentsOfFile: "\(scope.folder)/state/state.json.damaged.reason", encoding: .utf8)
            #expect(said == "\(scope.folder)/state/state.json: \(reason)\n")
        }
    }

    @Test("A power failure between the two renames leaves the previous state")
    func powerCut() async throws {
        try await ConfigurationScope.with { scope in
            await store(scope).save(Self.older)
            try FileManager.default.moveItem(
                atPath: "\(scope.folder)/state/state.json", toPath: "\(scope.folder)/state/state.json.before")
            try scope.write("state/state.json.new", "{\"vers")
            #expect(await store(scope).load() == Self.older)
        }
    }

    @Test("A folder that cannot be written stops nothing")
    func unwritable() async throws {
        try await ConfigurationScope.with { scope in
            try scope.write("state", "a file where the folder should be")
            await store(scope).save(Self.state)
            #expect(await store(scope).load() == BridgeState())
        }
    }
}
