import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Topics and names")
struct TopicsTests {
    @Test(
        "A topic has the destination of the contract, under any base topic",
        arguments: [
            ("belt/mode/set", .command(device: "belt", feature: "mode")),
            ("belt/left/mode/set", .command(device: "belt/left", feature: "mode")),
            ("tap/a1b2c3/vibrate/set", .command(device: "tap/a1b2c3", feature: "vibrate")),
            ("belt/set", .command(device: "belt", feature: "set")),
            ("bridge/all/request/devices", .commonRequest("devices")),
            ("belt//set", .command(device: "belt", feature: "")),
            ("belt/connection/set", .command(device: "belt", feature: "connection")),
            ("bridge/attic/request/permit_join", .request("permit_join")),
            ("bridge/cellar/request/permit_join", nil), ("belt/mode", nil), ("set", nil), ("", nil),
            ("connection", nil),
        ] as [(String, Topics.Destination?)])
    func destination(topic: String, destination: Topics.Destination?) {
        #expect(Topics(bridge: "attic", baseTopic: "").destination(topic) == destination)
        let under = Topics(bridge: "attic", baseTopic: "a/b")
        #expect(under.destination("a/b/" + topic) == destination)
        #expect(under.destination("x/" + topic) == nil)
    }

    @Test("A composed topic is parsed back")
    func roundTrip() {
        let topics = Topics(bridge: "attic", baseTopic: "base")
        #expect(
            topics.destination(topics.command("tap/left", "raw"))
                == .command(device: "tap/left", feature: "raw"))
        #expect(topics.commands("belt") == "base/belt/+/set")
        #expect(topics.requests == "base/bridge/attic/request/+")
        #expect(topics.response("forget") == "base/bridge/attic/response/forget")
        #expect(topics.result("belt") == "base/belt/result")
    }

    private let first: Address = "AA:BB:CC:A1:B2:C3"
    private let second: Address = "AA:BB:DD:A1:B2:C3"
    private let third: Address = "AA:BB:EE:A1:B2:C3"

    @Test("Names are assigned once, and no name twice")
    func names() {
        var names = DeviceNames(reserved: ["all"])
        let family = SampleFamily()
        #expect(names.assign(family, first) == "sample")
        #expect(names.assign(family, second) == "sample/a1b2c3")
        #expect(names.assign(family, third) == "sample/aabbeea1b2c3")
        #expect(names.assign(family, first) == "sample")
        #expect(names.address(of: "sample/a1b2c3") == second)
        let isTaken = !names.assign("sample", to: second)
        #expect(isTaken)
        names.release(first)
        let isFree = names.assign("sample", to: second)
        #expect(isFree)
        #expect(names.all == ["sample", "sample/aabbeea1b2c3"])
    }

    @Test(
        "Reserved roots and names of other bridges are not assigned",
        arguments: [
            ("all", false), ("all/belts", false), ("bridge", false), ("bridge/x", false), ("alley", true),
            ("mine", false), ("mine/left", true),
        ])
    func reserved(name: String, isFree: Bool) {
        var names = DeviceNames(reserved: ["all", "bridge"])
        names.reserve("mine")
        let isAssigned = names.assign(name, to: first)
        #expect(isAssigned == isFree)
    }
}
