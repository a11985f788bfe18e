import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Messages
import Testing

@Suite("Motion of hazardous devices")
struct MotionTests {
    static let address: Address = "AA:BB:CC:00:00:07"
    static let echo = "bridge/attic/echo"

    static func settings(_ values: Arguments = [:]) -> BridgeSettings {
        BridgeSettings(
            id: "attic", join: .permit,
            devices: [.init(name: "roller", family: "roller", address: address, settings: values)],
            families: ["roller": [:]], version: "1.0", host: "attic.example")
    }

    func withRoller(_ body: (TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            let bench = lab.bridge(Self.settings(), families: [RollerFamily()])
            bench.connectBroker()
            bench.hear(Self.address, name: "roller")
            bench.letStartPass()
            try body(bench)
        }
    }

    func motor(_ bench: TestBridge) -> [[UInt8]] {
        bench.link(Self.address)?.writes(RollerFamily.motor) ?? []
    }

    func roll(_ bench: TestBridge, _ payload: String = "500") -> String? {
        let count = bench.results("roller").count
        bench.send("roll", payload, device: "roller")
        // Success is not answered, because the command has the trait `latest`.
        guard bench.results("roller").count > count else { return "ok" }
        return bench.lastResult("roller")
    }

    @Test("Echoes are sent every 250 ms while a hazardous device is connected, and not otherwise")
    func echoes() throws {
        withLab { lab in
            let bench = lab.bridge(Self.settings(), families: [RollerFamily()])
            bench.connectBroker()
            bench.time.advance(by: .seconds(5))
            // These echoes prove that the retained messages have arrived.
            let markers = bench.client.probes.count
            bench.time.advance(by: .seconds(60))
            #expect(bench.client.probes.count == markers)
            bench.hear(Self.address, name: "roller")
            bench.letStartPass()
            let first = bench.client.probes.count
            #expect(first > markers && bench.client.probes.allSatisfy { $0.topic == Self.echo })
            bench.time.advance(by: .seconds(10))
            #expect(bench.client.probes.count == first + 40)
            #expect(Set(bench.client.probes.map(\.payload)).count == bench.client.probes.count)
            bench.link(Self.address)?.lose("gone")
            let last = bench.client.probes.count
            bench.time.advance(by: .seconds(10))
            #expect(bench.client.probes.count <= last + 1)
        }
    }

    @Test(
        "Commands over a delayed path are refused, and the device is stopped as soon as the path is delayed")
    func latePath() throws {
        withRoller { bench in
            #expect(roll(bench, "5000") == "ok")
            bench.client.setProbeFate(.held)
            bench.time.advance(by: .milliseconds(740))
            #expect(motor(bench) == [[1]])
            bench.time.advance(by: .milliseconds(20))
            #expect(motor(bench) == [[1], [0]])
            #expect(roll(bench) == "expired")
            #expect(bench.results("roller").last?["reason"] == "path")
            bench.client.setProbeFate(.delivered)
            bench.client.releaseProbes()
            bench.time.advance(by: .milliseconds(250))
            #expect(roll(bench) == "stopped")
            // This is the longest lease of a delayed command.
            bench.time.advance(by: .seconds(2))
            #expect(roll(bench) == "ok")
        }
    }

    @Test("An unsent, a retained and another client's echo do not prove the path")
    func falseEchoes() throws {
        try withRoller { bench in
            bench.client.setProbeFate(.unsent)
            bench.time.advance(by: .milliseconds(760))
            #expect(roll(bench) == "expired")
            bench.client.setProbeFate(.dropped)
            bench.time.advance(by: .milliseconds(250))
            let newest = try #require(bench.client.probes.last)
            let value = String(decoding: newest.payload, as: UTF8.self)
            bench.broker.send(Self.echo, value, retain: true)
            bench.broker.send(Self.echo, "0-1")
            #expect(roll(bench) == "expired")
            #expect(motor(bench).allSatisfy { $0 == [0] })
        }
    }

    @Test("If no echo ever returned, the answer names the topic to allow")
    func accessList() throws {
        withLab { lab in
            let bench = lab.bridge(Self.settings(), families: [RollerFamily()])
            bench.client.setProbeFate(.dropped)
            bench.connectBroker()
            bench.hear(Self.address, name: "roller")
            bench.time.advance(by: .seconds(3))
            #expect(roll(bench) == "expired")
            let message = bench.results("roller").last?["message"]?.string ?? ""
            #expect(message.contains("topic readwrite bridge/attic/echo"))
            #expect(bench.log.all.contains("no echo is received"))
        }
    }

    @Test("A sender with a delayed path moves nothing")
    func lateSender() throws {
        try withRoller { bench in
            let probe = try #require(bench.client.probes.last)
            let value = String(decoding: probe.payload, as: UTF8.self)
            #expect(roll(bench, #"{"duration_ms":500,"echo":"\#(value)"}"#) == "ok")
            bench.time.advance(by: .seconds(1))
            #expect(roll(bench, #"{"duration_ms":500,"echo":"\#(value)"}"#) == "expired")
            #expect(bench.results("roller").last?["reason"] == "sender")
            #expect(roll(bench) == "ok")
        }
    }

    @Test(
        "A joystick at 10 Hz moves nothing after a stop from any source",
        arguments: ["roller/stop/set", "all/stop/set", "all/rollers/stop/set", "bridge/attic/request/reload"])
    func joystick(topic: String) throws {
        withRoller { bench in
            for _ in 0..<5 {
                #expect(roll(bench) == "ok")
                bench.time.advance(by: .milliseconds(100))
            }
            let link = bench.link(Self.address)
            // A reload stops and reconnects a device whose settings change.
            bench.configuration.set(
                ReloadedConfiguration(settings: Self.settings(["max_path_delay_ms": 1000])))
            bench.broker.send(topic, "")
            bench.hear(Self.address, name: "roller")
            #expect(link?.writes(RollerFamily.motor).last == [0])
            let begun = motor(bench).count
            for _ in 0..<30 {
                #expect(roll(bench) == "stopped")
                bench.time.advance(by: .milliseconds(100))
            }
            #expect(motor(bench).dropFirst(begun).allSatisfy { $0 == [0] })
            bench.time.advance(by: .milliseconds(400))
            #expect(roll(bench) == "ok")
            #expect(motor(bench).last == [1])
        }
    }

    @Test("A reload without changes for a moving device does not stop it, and a joystick continues")
    func unchangedReload() {
        withRoller { bench in
            for step in 0..<10 {
                if step == 5 {
                    bench.configuration.set(ReloadedConfiguration(settings: Self.settings()))
                    bench.request("reload", "")
                    #expect(bench.lastResponse("reload") == "ok")
                }
                #expect(roll(bench) == "ok")
                bench.time.advance(by: .milliseconds(100))
            }
            #expect(motor(bench) == Array(repeating: [1], count: 10))
            #expect(bench.link(Self.address)?.disconnects == 0)
        }
    }

    @Test("A stop applies to the new session of a device after a reload")
    func changedSettings() throws {
        withRoller { bench in
            #expect(roll(bench, #"{"duration_ms":500,"hold":7}"#) == "ok")
            bench.configuration.set(
                ReloadedConfiguration(settings: Self.settings(["max_path_delay_ms": 1000])))
            bench.request("reload", "")
            bench.hear(Self.address, name: "roller")
            #expect(roll(bench) == "stopped")
            bench.time.advance(by: .seconds(2))
            #expect(roll(bench, #"{"duration_ms":500,"hold":7}"#) == "stopped")
            bench.time.advance(by: .seconds(2))
            #expect(roll(bench, #"{"duration_ms":500,"hold":8}"#) == "ok")
        }
    }

    @Test("A joystick in its center position is answered ok, even after a stop")
    func rest() throws {
        withRoller { bench in
            bench.send("stop", "", device: "roller")
            let writes = motor(bench)
            #expect(roll(bench, #"{"duration_ms":0,"id":1}"#) == "ok")
            #expect(motor(bench) == writes)
        }
    }

    @Test("Both copies of a stop are obeyed, and one is answered and counted")
    func copies() throws {
        try withRoller { bench in
            for _ in 0..<2 { bench.send("stop", "", device: "roller") }
            #expect(motor(bench) == [[0], [0]])
            #expect(bench.results("roller").count == 1)
            bench.send("stop", #"{"id":1}"#, device: "roller")
            #expect(bench.results("roller").count == 2)
            bench.time.advance(by: .seconds(2))
            bench.send("stop", "", device: "roller")
            #expect(bench.results("roller").count == 3)
            bench.time.advance(by: .seconds(30))
            let stats = try #require(bench.broker.objects("bridge/attic/stats").last)
            #expect(stats["families"]?["roller"]?["counts"]?["stops"] == 3)
        }
    }

    @Test(
        "Nothing moves while the broker refuses a subscription for stops",
        arguments: ["roller/stop/set", "all/+/set"])
    func refusedSubscription(filter: String) throws {
        try withRoller { bench in
            bench.client.refuseSubscription(filter)
            #expect(roll(bench) == "wrong_mode")
            let result = try #require(bench.results("roller").last)
            #expect(result["reason"] == "subscription")
            #expect(result["message"]?.string?.contains(filter) == true)
            bench.client.grantSubscription(filter)
            #expect(roll(bench) == "ok")
        }
    }

    @Test("The loss of the broker stops the device, and earlier commands are not executed afterwards")
    func brokerLost() throws {
        withRoller { bench in
            #expect(roll(bench, "5000") == "ok")
            bench.client.lose()
            #expect(motor(bench) == [[1], [0]])
            bench.client.connect()
            bench.time.advance(by: .milliseconds(400))
            #expect(roll(bench) == "stopped")
            bench.time.advance(by: .seconds(6))
            #expect(roll(bench) == "ok")
        }
    }

    @Test("Automatic actions of a device wait until motion is allowed, and a stop cancels them")
    func clearance() throws {
        func power(_ bench: TestBridge) -> [[UInt8]] {
            bench.link(Self.address)?.writes(RollerFamily.power) ?? []
        }
        withLab { lab in
            let bench = lab.bridge(Self.settings(), families: [RollerFamily(armsItself: true)])
            bench.client.setProbeFate(.held)
            bench.connectBroker()
            bench.hear(Self.address, name: "roller")
            #expect(power(bench) == [])
            bench.client.setProbeFate(.delivered)
            bench.time.advance(by: .seconds(2))
            #expect(power(bench) == [])
            bench.time.advance(by: .milliseconds(500))
            #expect(power(bench) == [[9]])
        }
        withLab { lab in
            let bench = lab.bridge(Self.settings(), families: [RollerFamily(armsItself: true)])
            bench.client.setProbeFate(.held)
            bench.connectBroker()
            bench.hear(Self.address, name: "roller")
            bench.send("stop", "", device: "roller")
            bench.client.setProbeFate(.delivered)
            bench.time.advance(by: .seconds(10))
            #expect(power(bench) == [])
        }
    }
}
