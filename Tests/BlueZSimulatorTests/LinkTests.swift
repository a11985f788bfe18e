import DBus
import Testing

@testable import BlueZSimulator

@Suite("Connections in the BlueZ simulator")
struct LinkTests {
    @Test("Connect is answered when the connection exists, before the services and the battery")
    func connect() {
        var harness = SimulatorHarness()
        harness.discover()
        let call = harness.call("Connect", at: SimulatorHarness.device)
        #expect(
            harness.ask("Connect", at: SimulatorHarness.device, by: ":1.2")
                == "Failed: Operation already in progress")
        harness.pass(.milliseconds(150))
        #expect(harness.look() == ["dev Connected=true"])
        #expect(harness.answers[call] == "")
        #expect(harness.ask("Connect", at: SimulatorHarness.device) == "")
        harness.pass(.milliseconds(300))
        #expect(
            harness.look() == [
                "service0008 + GattService1", "char0009 + GattCharacteristic1", "desc000b + GattDescriptor1",
                "service000c + GattService1", "char000d + GattCharacteristic1", "desc000f + GattDescriptor1",
                "char0010 + GattCharacteristic1", "desc0012 + GattDescriptor1",
                "char0013 + GattCharacteristic1",
                "desc0015 + GattDescriptor1", "service0016 + GattService1", "char0017 + GattCharacteristic1",
                "desc0019 + GattDescriptor1", "dev UUIDs=4 ServicesResolved=true", "dev + Battery1",
            ])
    }

    @Test("With the known race, the services appear after ServicesResolved")
    func lateServices() {
        var harness = SimulatorHarness { $0.servicesLate = .milliseconds(50) }
        harness.discover()
        harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.milliseconds(450))
        #expect(harness.look() == ["dev Connected=true", "dev UUIDs=4 ServicesResolved=true"])
        harness.pass(.milliseconds(50))
        #expect(harness.look().first == "service0008 + GattService1")
    }

    @Test("Disconnect takes a while, during which the device counts as connected")
    func disconnect() {
        var harness = SimulatorHarness()
        harness.connect()
        let call = harness.call("Disconnect", at: SimulatorHarness.device)
        let second = harness.call("Disconnect", at: SimulatorHarness.device)
        #expect(harness.look() == ["dev - Battery1"])
        harness.pass(.milliseconds(1900))
        #expect(harness.ask("Connect", at: SimulatorHarness.device) == "")
        #expect(harness.ask("StartNotify", at: SimulatorHarness.value) == "NotConnected: Not Connected")
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == "010203")
        _ = harness.look()
        #expect(harness.answers[call] == nil)
        harness.pass(.milliseconds(100))
        #expect(harness.look() == ["dev ServicesResolved=false", "dev Connected=false"])
        #expect(harness.answers[call] == "" && harness.answers[second] == "")
        #expect(harness.ask("Disconnect", at: SimulatorHarness.device) == "")
    }

    @Test("After a connection, the objects stay, and the next connection is faster")
    func reconnect() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.line("drop tester")
        #expect(harness.look() == ["dev ServicesResolved=false Connected=false", "dev - Battery1"])
        #expect(
            harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == "Failed: Not connected")
        #expect(
            harness.ask("WriteValue", at: SimulatorHarness.echo, .bytes([1]), .properties([:]))
                == "Failed: Not connected")
        harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.milliseconds(250))
        #expect(harness.look() == ["dev Connected=true", "dev + Battery1", "dev ServicesResolved=true"])
    }

    @Test("A device out of range is lost after the supervision timeout, unless it returns before")
    func mute() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.line("mute tester")
        harness.pass(.milliseconds(300))
        harness.line("unmute tester")
        harness.pass(.seconds(5))
        #expect(harness.look() == [])
        harness.line("mute tester")
        harness.pass(.milliseconds(420))
        #expect(harness.look().first == "dev ServicesResolved=false Connected=false")
    }

    @Test("A device can disconnect itself")
    func leave() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.line("tester leave")
        #expect(harness.look().first == "dev ServicesResolved=false Connected=false")
    }

    @Test("Out of range, Connect fails after 40 s, ends with Disconnect, or connects a device that returns")
    func unreachable() {
        var harness = SimulatorHarness()
        harness.discover()
        harness.line("mute tester")
        let first = harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.milliseconds(39_900))
        #expect(harness.answers[first] == nil)
        harness.pass(.milliseconds(100))
        #expect(harness.answers[first] == "Failed: le-connection-abort-by-local")
        let second = harness.call("Connect", at: SimulatorHarness.device)
        #expect(harness.ask("Disconnect", at: SimulatorHarness.device) == "")
        #expect(harness.answers[second] == "Failed: br-connection-canceled")
        let third = harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.seconds(20))
        harness.line("unmute tester")
        harness.pass(.milliseconds(150))
        #expect(harness.answers[third] == "")
        #expect(harness.look() == ["dev Connected=true"])
    }

    @Test(
        "A connection outlasts the program that called Connect or Pair, with and without a subscription",
        arguments: ["Connect", "Pair"], [true, false])
    func programLeaves(_ call: String, isSubscribed: Bool) {
        var harness = SimulatorHarness()
        harness.discover()
        harness.call("RegisterAgent", at: BlueZName.root, .objectPath("/agent"), .string(""), by: ":1.9")
        harness.call("RequestDefaultAgent", at: BlueZName.root, .objectPath("/agent"), by: ":1.9")
        harness.call(call, at: SimulatorHarness.device)
        harness.pass(.seconds(2))
        if isSubscribed { harness.call("StartNotify", at: SimulatorHarness.value) }
        _ = harness.look()
        harness.leave(":1.1")
        #expect(harness.look() == (isSubscribed ? ["char000d Notifying=false"] : []))
        harness.pass(.seconds(60))
        #expect(harness.look() == [])
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == "010203")
    }

    @Test("A connection outlasts a program that leaves before the services are resolved")
    func programLeavesEarly() {
        var harness = SimulatorHarness()
        harness.discover()
        harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.milliseconds(150))
        harness.leave(":1.1")
        harness.pass(.seconds(60))
        #expect(harness.look().suffix(2) == ["dev UUIDs=4 ServicesResolved=true", "dev + Battery1"])
    }

    @Test("Switching the adapter off ends its connections and its connection attempts")
    func powerOff() {
        var harness = SimulatorHarness()
        harness.connect()
        #expect(harness.set("Powered", .bool(false), at: SimulatorHarness.adapter) == "")
        #expect(
            harness.look() == [
                "dev ServicesResolved=false Connected=false", "dev - Battery1",
                "hci0 Powered=false Discovering=false",
            ])
        #expect(harness.ask("Connect", at: SimulatorHarness.device) == "Failed: Input/output error")
        #expect(
            harness.ask("Pair", at: SimulatorHarness.device) == "AuthenticationFailed: Authentication Failed")
        harness.line("adapter on")
        harness.line("mute tester")
        let call = harness.call("Connect", at: SimulatorHarness.device)
        harness.line("adapter off")
        #expect(harness.answers[call] == "Failed: le-connection-abort-by-local")
    }

    @Test("A live line limits the connections of an adapter, and existing connections stay")
    func connectionLimit() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.line("adapter links 0")
        #expect(harness.ask("Connect", at: SimulatorHarness.device) == "")
        _ = harness.ask("Disconnect", at: SimulatorHarness.device)
        harness.pass(.seconds(2))
        #expect(
            harness.ask("Connect", at: SimulatorHarness.device)
                == "Failed: le-connection-concurrent-connection-limit")
        harness.line("adapter links any hci0")
        let call = harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.seconds(1))
        #expect(harness.answers[call] == "")
    }

    @Test("RemoveDevice closes the connection first and removes all objects, inner objects first")
    func remove() {
        var harness = SimulatorHarness()
        harness.connect()
        let call = harness.call(
            "RemoveDevice", at: SimulatorHarness.adapter, .objectPath(SimulatorHarness.device))
        harness.pass(.seconds(2))
        let signals = harness.look()
        #expect(
            signals.prefix(5) == [
                "dev - Battery1", "dev ServicesResolved=false", "dev Connected=false", "desc000b - ",
                "char0009 - ",
            ])
        #expect(signals.last == "dev - " && signals.count == 17)
        #expect(harness.answers[call] == "")
        #expect(
            harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:]))
                == "NotSupported: Operation is not supported")
    }
}
