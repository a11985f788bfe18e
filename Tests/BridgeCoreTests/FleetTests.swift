import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("The devices of the bridge")
struct FleetTests {
    private let settings = BridgeSettings(
        id: "attic", groups: [BridgeSettings.Group(name: "desk", members: ["b", "missing"])])
    private let sessions = LoneSessions()

    /// Returns a fleet of devices with these names and the addresses 1, 2, 3 …
    private func fleet(_ names: String...) -> Fleet {
        var fleet = Fleet(settings, [SampleFamily()])
        for (index, name) in names.enumerated() {
            let address = Address(number: UInt64(index + 1))
            let isFree = fleet.names.assign(name, to: address)
            #expect(isFree)
            fleet.add(sessions.make(name, address, number: fleet.takeNumber()))
        }
        return fleet
    }

    @Test("A device is found by address, name and number until it is removed and its session has ended")
    func finding() throws {
        var fleet = fleet("b", "a")
        let session = try #require(fleet[Address(number: 1)])
        #expect(session.name == "b")
        #expect(fleet.session(named: "b") === session && fleet.session(number: 1) === session)
        #expect(fleet.session(named: "c") == nil && fleet.session(number: 3) == nil)
        #expect(fleet.inOrder.map(\.name) == ["b", "a"] && fleet.count == 2 && fleet.onlineCount == 0)
        fleet.remove(session)
        #expect(fleet[Address(number: 1)] == nil && fleet.session(named: "b") == nil && fleet.count == 1)
        #expect(fleet.session(number: 1) === session)
        fleet.end(1)
        #expect(fleet.session(number: 1) == nil)
    }

    @Test("No device gets the name of a group or of the bridge")
    func reserved() {
        var fleet = fleet()
        for name in ["all", "desk", "bridge", "bridge/attic"] {
            let isFree = fleet.names.assign(name, to: Address(number: 9))
            #expect(!isFree, "\(name)")
        }
    }

    @Test("A group contains its named devices, the devices of its family or all devices, sorted by name")
    func groups() {
        let fleet = fleet("b", "a")
        #expect(fleet.members(of: "all").map(\.name) == ["a", "b"])
        #expect(fleet.members(of: "all/samples").map(\.name) == ["a", "b"])
        let desk = fleet.members(of: "desk")
        #expect(desk.map(\.name) == ["b", "missing"] && desk.map { $0.session == nil } == [false, true])
        #expect(fleet.members(of: "elsewhere").isEmpty)
        #expect(fleet.stopsEverything("all") && !fleet.stopsEverything("desk"))
    }

    @Test("New settings replace the groups")
    func otherGroups() {
        var fleet = fleet("b")
        fleet.use([BridgeSettings.Group(name: "shelf", members: ["b"])], zone: "hall")
        #expect(fleet.groups.contains("shelf") && !fleet.groups.contains("desk"))
        #expect(fleet.members(of: "zone/hall").map(\.name) == ["b"] && fleet.stopsEverything("zone/hall"))
        #expect(fleet.members(of: "shelf").map(\.name) == ["b"] && fleet.members(of: "desk").isEmpty)
    }

    @Test("A plan keeps a joining device and removes a device that is no longer listed")
    func plan() {
        let fleet = fleet("b", "a")
        let plan = fleet.plan(
            before: [], settings, joined: [], joining: [Address(number: 2)],
            rules: NameRules(families: [SampleFamily()], reserved: []))
        #expect(plan.removed.map(\.name) == ["b"] && plan.added.isEmpty)
        #expect(plan.names[Address(number: 2)] == "a")
    }
}
