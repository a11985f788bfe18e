import Bluetooth
import BridgeContract
import DeviceCatalog
import DeviceKit
import HostTesting
import Testing

@testable import BridgeConfiguration
@testable import Commands
@testable import StateFiles

@Suite("doctor checks emergency stops")
struct LatchTests {
    private static func facts(_ devices: [LatchFacts.Device]) -> LatchFacts {
        LatchFacts(path: "/s/latches", user: "anna", count: 3, devices: devices)
    }

    @Test("Without latches there is no finding")
    func none() { #expect(LatchFacts(path: "/s/latches", user: "anna").findings.isEmpty) }

    @Test("Stopped robots are listed with the command that releases them, which is not a problem")
    func stopped() throws {
        let findings = Self.facts([.init(name: "robot", latch: .latched, powersOnConnect: true)]).findings
        #expect(findings.map(\.verdict) == [.ok])
        #expect(findings[0].summary == "/s/latches: emergency stops of 3 robots stored, set for robot")
        #expect(findings[0].remedies == ["mosquitto_pub -t robot/power/set -m on   # releases it"])
        #expect(Self.facts([]).findings[0].summary.hasSuffix("set for none"))
    }

    @Test("A robot without power because of an unknown state is reported, other robots are not")
    func unconfirmed() throws {
        let findings = Self.facts([
            .init(name: "robot", latch: .unconfirmed, powersOnConnect: true),
            .init(name: "other", latch: .unconfirmed, powersOnConnect: false),
        ]).findings
        #expect(findings.map(\.verdict) == [.ok, .warning])
        #expect(findings[1].summary.hasPrefix("power_on_connect of robot has no effect"))
        #expect(findings[1].remedies.first?.contains("robot/power/set -m on") == true)
    }

    @Test("Unreadable files are a problem with its consequence")
    func unreadable() throws {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "latches")
        let configuration = try folder.write("bridge: { state_directory: \(folder.path) }\n", to: "c.yaml")
        let loaded = try SettingsLoader(file: configuration, families: Registry.families).load()
        let place = StatePlace(configured: folder.path, isChosen: loaded.namesStateDirectory)
        let finding = try #require(LatchFacts(place, loaded.settings).findings.first)
        #expect(finding.verdict == .problem && finding.summary.contains("Not a directory"))
        #expect(finding.summary.contains("every robot counts as stopped"))
    }

    @Test("The files are read with the names and settings of their robots")
    func files() throws {
        let folder = try TemporaryDirectory()
        try TestProcess.run(["mkdir", folder.file("latches")])
        for (address, latch) in [
            ("AA:BB:CC:DD:EE:01", Latch.clear), ("AA:BB:CC:DD:EE:02", .unconfirmed),
            ("AA:BB:CC:DD:EE:03", .latched), ("AA:BB:CC:DD:EE:04", .unconfirmed),
        ] as [(Address, Latch)] {
            try folder.write(LatchFile.bytes(latch, of: address), to: "latches/\(address)")
        }
        let configuration = try folder.write(
            """
            bridge: { state_directory: \(folder.path) }
            robot: { power_on_connect: true }
            devices:
              tank: { family: robot, address: "AA:BB:CC:DD:EE:02" }
              rover: { family: robot, address: "AA:BB:CC:DD:EE:04", power_on_connect: false }

            """, to: "c.yaml")
        let loaded = try SettingsLoader(file: configuration, families: Registry.families).load()
        let place = StatePlace(configured: folder.path, isChosen: loaded.namesStateDirectory)
        let facts = LatchFacts(place, loaded.settings)
        #expect(facts.count == 4)
        #expect(
            facts.devices == [
                .init(name: "tank", latch: .unconfirmed, powersOnConnect: true),
                .init(name: "AA:BB:CC:DD:EE:03", latch: .latched, powersOnConnect: false),
                .init(name: "rover", latch: .unconfirmed, powersOnConnect: false),
            ])
    }
}
