import DBus
import Testing

@testable import BlueZSimulator

@Suite("Connections in the BlueZ simulator")
struct LinkTests {
    @Test("Connect is answered when the connection exists, before the services and the battery")
    func connect() {
        var bench = Bench()
        bench.discover()
        let call = bench.call("Connect", at: Bench.device)
        #expect(bench.ask("Connect", at: Bench.device, by: ":1.2") == "Failed: Operation already in progress")
        bench.pass(.milliseconds(150))
        #expect(bench.look() == ["dev Connected=true"])
        #expect(bench.answers[call] == "")
        #expect(bench.ask("Connect", at: Bench.device) == "")
        bench.pass(.milliseconds(300))
        #expect(
            bench.look() == [
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
        var bench = Bench { $0.servicesLate = .milliseconds(50) }
        bench.discover()
        bench.call("Connect", at: Bench.device)
        bench.pass(.milliseconds(450))
        #expect(bench.look() == ["dev Connected=true", "dev UUIDs=4 ServicesResolved=true"])
        bench.pass(.milliseconds(50))
        #expect(bench.look().first == "service0008 + GattService1")
    }

    @Test("Disconnect takes a while, during which the device counts as connected")
    func disconnect() {
        var bench = Bench()
        bench.connect()
        let call = bench.call("Disconnect", at: Bench.device)
        let second = bench.call("Disconnect", at: Bench.device)
        #expect(bench.look() == ["dev - Battery1"])
        bench.pass(.milliseconds(1900))
        #expect(bench.ask("Connect", at: Bench.device) == "")
        #expect(bench.ask("StartNotify", at: Bench.value) == "NotConnected: Not Connected")
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "010203")
        _ = bench.look()
        #expect(bench.answers[call] == nil)
        bench.pass(.milliseconds(100))
        #expect(bench.look() == ["dev ServicesResolved=false", "dev Connected=false"])
        #expect(bench.answers[call] == "" && bench.answers[second] == "")
        #expect(bench.ask("Disconnect", at: Bench.device) == "")
    }

    @Test("After a connection, the objects stay, and the next connection is faster")
    func reconnect() {
        var bench = Bench()
        bench.connect()
        bench.line("drop tester")
        #expect(bench.look() == ["dev ServicesResolved=false Connected=false", "dev - Battery1"])
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "Failed: Not connected")
        #expect(
            bench.ask("WriteValue", at: Bench.echo, .bytes([1]), .properties([:])) == "Failed: Not connected")
        bench.call("Connect", at: Bench.device)
        bench.pass(.milliseconds(250))
        #expect(bench.look() == ["dev Connected=true", "dev + Battery1", "dev ServicesResolved=true"])
    }

    @Test("A device out of range is lost after the supervision timeout, unless it returns before")
    func mute() {
        var bench = Bench()
        bench.connect()
        bench.line("mute tester")
        bench.pass(.milliseconds(300))
        bench.line("unmute tester")
        bench.pass(.seconds(5))
        #expect(bench.look() == [])
        bench.line("mute tester")
        bench.pass(.milliseconds(420))
        #expect(bench.look().first == "dev ServicesResolved=false Connected=false")
    }

    @Test("A device can disconnect itself")
    func leave() {
        var bench = Bench()
        bench.connect()
        bench.line("tester leave")
        #expect(bench.look().first == "dev ServicesResolved=false Connected=false")
    }

    @Test("Out of range, Connect fails after 40 s, ends with Disconnect, or connects a device that returns")
    func unreachable() {
        var bench = Bench()
        bench.discover()
        bench.line("mute tester")
        let first = bench.call("Connect", at: Bench.device)
        bench.pass(.milliseconds(39_900))
        #expect(bench.answers[first] == nil)
        bench.pass(.milliseconds(100))
        #expect(bench.answers[first] == "Failed: le-connection-abort-by-local")
        let second = bench.call("Connect", at: Bench.device)
        #expect(bench.ask("Disconnect", at: Bench.device) == "")
        #expect(bench.answers[second] == "Failed: br-connection-canceled")
        let third = bench.call("Connect", at: Bench.device)
        bench.pass(.seconds(20))
        bench.line("unmute tester")
        bench.pass(.milliseconds(150))
        #expect(bench.answers[third] == "")
        #expect(bench.look() == ["dev Connected=true"])
    }

    @Test(
        "A connection outlasts the program that called Connect or Pair, with and without a subscription",
        arguments: ["Connect", "Pair"], [true, false])
    func programLeaves(_ call: String, isSubscribed: Bool) {
        var bench = Bench()
        bench.discover()
        bench.call("RegisterAgent", at: BlueZName.root, .objectPath("/agent"), .string(""), by: ":1.9")
        bench.call("RequestDefaultAgent", at: BlueZName.root, .objectPath("/agent"), by: ":1.9")
        bench.call(call, at: Bench.device)
        bench.pass(.seconds(2))
        if isSubscribed { bench.call("StartNotify", at: Bench.value) }
        _ = bench.look()
        bench.leave(":1.1")
        #expect(bench.look() == (isSubscribed ? ["char000d Notifying=false"] : []))
        bench.pass(.seconds(60))
        #expect(bench.look() == [])
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "010203")
    }

    @Test("A connection outlasts a program that leaves before the services are resolved")
    func programLeavesEarly() {
        var bench = Bench()
        bench.discover()
        bench.call("Connect", at: Bench.device)
        bench.pass(.milliseconds(150))
        bench.leave(":1.1")
        bench.pass(.seconds(60))
        #expect(bench.look().suffix(2) == ["dev UUIDs=4 ServicesResolved=true", "dev + Battery1"])
    }

    @Test("Switching the adapter off ends its connections and its connection attempts")
    func powerOff() {
        var bench = Bench()
        bench.connect()
        #expect(bench.set("Powered", .bool(false), at: Bench.adapter) == "")
        #expect(
            bench.look() == [
                "dev ServicesResolved=false Connected=false", "dev - Battery1",
                "hci0 Powered=false Discovering=false",
            ])
        #expect(bench.ask("Connect", at: Bench.device) == "Failed: Input/output error")
        #expect(bench.ask("Pair", at: Bench.device) == "AuthenticationFailed: Authentication Failed")
        bench.line("adapter on")
        bench.line("mute tester")
        let call = bench.call("Connect", at: Bench.device)
        bench.line("adapter off")
        #expect(bench.answers[call] == "Failed: le-connection-abort-by-local")
    }

    @Test("A live line limits the connections of an adapter, and existing connections stay")
    func connectionLimit() {
        var bench = Bench()
        bench.connect()
        bench.line("adapter links 0")
        #expect(bench.ask("Connect", at: Bench.device) == "")
        _ = bench.ask("Disconnect", at: Bench.device)
        bench.pass(.seconds(2))
        #expect(
            bench.ask("Connect", at: Bench.device) == "Failed: le-connection-concurrent-connection-limit")
        bench.line("adapter links any hci0")
        let call = bench.call("Connect", at: Bench.device)
        bench.pass(.seconds(1))
        #expect(bench.answers[call] == "")
    }

    @Test("RemoveDevice closes the connection first and removes all objects, inner objects first")
    func remove() {
        var bench = Bench()
        bench.connect()
        let call = bench.call("RemoveDevice", at: Bench.adapter, .objectPath(Bench.device))
        bench.pass(.seconds(2))
        let signals = bench.look()
        #expect(
            signals.prefix(5) == [
                "dev - Battery1", "dev ServicesResolved=false", "dev Connected=false", "desc000b - ",
                "char0009 - ",
            ])
        #expect(signals.last == "dev - " && signals.count == 17)
        #expect(bench.answers[call] == "")
        #expect(
            bench.ask("ReadValue", at: Bench.value, .properties([:]))
                == "NotSupported: Operation is not supported")
    }
}
