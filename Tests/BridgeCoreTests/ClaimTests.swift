import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Claims of offline bridges, outdated claims and forged claims")
struct ClaimTests {
    private static let other: Address = "AA:BB:CC:00:00:01"

    /// The number of messages of this bridge on the device's `connection`.
    private func sayings(_ bench: TestBridge, _ name: String = "sample") -> Int {
        bench.broker.log.count { $0.client == "attic" && $0.message.topic == "\(name)/connection" }
    }

    @Test("The claim of an offline bridge affects neither the name of a device nor its ownership")
    func dead() {
        withLab { lab in
            lab.broker.send("bridge/ghost/availability", "offline", retain: true)
            lab.broker.claim(Self.other, isStored: true)
            let bench = lab.bridge(.oneDevice())
            bench.goOnline()
            #expect(bench.connection()?["bridge"] == "attic")
            bench.send("halt", "")
            #expect(bench.results().last?["status"] == "ok")
        }
    }

    @Test("A retained online of a dead bridge is valid for two seconds, and commands wait for that time")
    func stale() {
        withLab { lab in
            lab.broker.send("bridge/ghost/availability", "online", retain: true)
            lab.broker.send("bridge/ghost/info", #"{"contract":2}"#, retain: true)
            lab.broker.claim(isStored: true)
            let bench = lab.bridge(.oneDevice())
            bench.client.connect()
            bench.send("level", "60")
            bench.time.advance(by: .milliseconds(1999))
            #expect(sayings(bench) == 0)
            #expect(bench.results() == [])
            bench.time.advance(by: .milliseconds(1))
            #expect(bench.connection()?["bridge"] == "attic")
            #expect(bench.lastResult() == "device_offline")
        }
    }

    @Test("A stop is obeyed while the owner of the device is unknown")
    func stopWhilePresumed() {
        withLab { lab in
            lab.broker.send("bridge/ghost/availability", "online", retain: true)
            lab.broker.claim(Self.other, configured: true, isStored: true)
            let device = BridgeState.Device(
                address: BridgeSettings.sample, family: "sample", name: "sample")
            let bench = lab.bridge(.empty(), store: MemoryStore(BridgeState(devices: [device])))
            bench.client.connect()
            bench.hear()
            bench.send("halt", "")
            #expect(bench.lastResult() == "ok")
            bench.time.advance(by: .seconds(2))
            #expect(bench.connection()?["bridge"] == "attic")
        }
    }

    @Test("A bridge answers several new bridges with one message, and they accept its claims")
    func answers() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice())
            bench.goOnline()
            bench.time.advance(by: .seconds(10))
            bench.broker.clearLog()
            for id in 1...10 { bench.broker.send("bridge/peer\(id)/availability", "online") }
            let said = { bench.broker.log.filter { $0.client == "attic" }.map(\.message.topic) }
            #expect(said() == [])
            bench.time.advance(by: .milliseconds(250))
            #expect(said() == ["bridge/attic/info"])
            #expect(bench.broker.log.last?.message.isUrgent == true, "they wait for it no longer than 2 s")
            let cellar = lab.bridge(.oneDevice("cellar"))
            cellar.connectBroker()
            bench.time.advance(by: .seconds(3))
            #expect(bench.connection()?["bridge"] == "attic")
            #expect(
                !lab.broker.log.contains { $0.client == "cellar" && $0.message.topic.hasPrefix("sample/") })
        }
    }

    @Test("When the holder of a device dies, the other bridge answers in its place")
    func holderDies() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            let cellar = lab.bridge(.oneDevice("cellar"))
            attic.goOnline()
            cellar.connectBroker()
            attic.send("level", "60")
            #expect(attic.results().count == 1)
            attic.cancel()
            lab.broker.send("bridge/attic/availability", "offline", retain: true)
            #expect(cellar.connection()?["bridge"] == "cellar")
            cellar.send("level", "60")
            #expect(cellar.lastResult() == "device_offline")
        }
    }

    @Test(
        "A forged claim does not take a connected device: the connection is proved, and the claim is dropped"
    )
    func forged() {
        withBridge { bench in
            bench.goOnline()
            let before = sayings(bench)
            bench.broker.claim()
            #expect(bench.link()?.operations.last == .read(SampleFamily.control))
            #expect(sayings(bench) == before + 1)
            #expect(bench.connection()?["bridge"] == "attic")
            bench.time.advance(by: .seconds(60))
            bench.send("level", "60")
            #expect(bench.control.last == [5, 60])
            #expect(bench.link()?.disconnects == 0)
        }
    }

    @Test(
        "A claim of an offline bridge is answered with the retained messages, at most three times in ten seconds"
    )
    func deadClaims() {
        withBridge { bench in
            bench.goOnline()
            bench.time.advance(by: .seconds(5))
            let before = sayings(bench)
            for _ in 1...20 { bench.broker.claim(isStored: true) }
            #expect((before + 1...before + 3).contains(sayings(bench)))
            bench.time.advance(by: .seconds(10))
            let after = sayings(bench)
            #expect((before + 2...before + 4).contains(after))
            #expect(bench.broker.retainedObject("claim/aabbcca1b2c3")?["bridge"] == "attic")
            bench.time.advance(by: .seconds(60))
            #expect(sayings(bench) == after)
        }
    }

    @Test("A claim of an earlier holder is not yielded to when the connection is lost later")
    func outdated() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            let cellar = lab.bridge(.oneDevice("cellar"))
            attic.goOnline()
            cellar.connectBroker()
            attic.link()?.lose()
            cellar.hear()
            lab.time.advance(by: .milliseconds(250))
            cellar.link()?.lose()
            lab.broker.send("bridge/attic/availability", "online")
            lab.time.advance(by: .seconds(5))
            #expect(cellar.connection()?["bridge"] == "cellar")
            #expect(cellar.connection()?["state"] == "searching")
            cellar.send("level", "60")
            #expect(cellar.lastResult() == "device_offline")
        }
    }

    @Test("States of a bridge without a link that arrive after its claim are replaced a second later")
    func lateStates() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice())
            bench.goOnline()
            bench.hear()
            #expect(bench.connection()?["state"] == "connected")
            lab.broker.send("bridge/hall/availability", "online")
            lab.broker.claim(by: "hall", epoch: 1, state: "released")
            let late: JSON.Value = ["bridge": "hall", "state": "searching"]
            lab.broker.send("sample/connection", late.description, retain: true)
            bench.time.advance(by: .milliseconds(999))
            #expect(bench.connection()?["bridge"] == "hall")
            bench.time.advance(by: .milliseconds(1))
            #expect(bench.connection()?["bridge"] == "attic")
            #expect(bench.connection()?["state"] == "connected")
        }
    }

    @Test("A released claim is published once, even if connection attempts fail")
    func steady() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.lose()
            func claims() -> [JSON.Value] { bench.broker.objects("claim/aabbcca1b2c3") }
            let released = claims().count
            let since = claims().last?["since"]
            #expect(claims().last?["state"] == "released")
            for _ in 0..<3 {
                bench.radio.failConnecting(BridgeSettings.sample, RadioError(.unreachable, "no answer"))
                bench.hear()
                bench.time.advance(by: .seconds(30))
            }
            #expect(claims().count == released)
            bench.hear()
            #expect(claims().last?["state"] == "linked" && claims().last?["since"] != since)
        }
    }

    @Test("Two connected, configured devices with the same name obey stops only, and answer with the reason")
    func sharedName() {
        withLab { lab in
            func settings(_ id: String, _ address: Address) -> BridgeSettings {
                var settings = BridgeSettings.oneDevice(id)
                settings.devices[0].address = address
                return settings
            }
            let attic = lab.bridge(settings("attic", Self.other))
            let cellar = lab.bridge(settings("cellar", BridgeSettings.sample))
            attic.connectBroker()
            attic.hear(Self.other)
            cellar.goOnline()
            lab.time.advance(by: .seconds(3))
            attic.broker.clearLog()
            attic.send("level", "60")
            #expect(attic.results().map { $0["code"] } == ["wrong_mode", "wrong_mode"])
            #expect(attic.results().allSatisfy { $0["reason"] == "name_shared" })
            attic.send("halt", "")
            #expect(attic.results().suffix(2).allSatisfy { $0["status"] == "ok" })
            #expect(attic.link(Self.other)?.writes(SampleFamily.motor).last == [0])
            #expect(cellar.link()?.writes(SampleFamily.motor).last == [0])
            attic.link(Self.other)?.lose()
            lab.time.advance(by: .seconds(1))
            #expect(cellar.connection()?["bridge"] == "cellar")
            // The last claim of the other device has no name.
            let claim = lab.broker.retainedObject("claim/aabbcc000001")
            #expect(claim?["state"] == "released" && claim?["name"] == nil)
            cellar.send("level", "61")
            #expect(cellar.control.last == [5, 61])
        }
    }

    @Test("A device that roams to another host forgets its pending goals")
    func roam() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            let cellar = lab.bridge(.oneDevice("cellar"))
            attic.goOnline()
            cellar.connectBroker()
            attic.link()?.lose()
            attic.send("aim", "90")
            cellar.hear()
            lab.time.advance(by: .milliseconds(250))
            cellar.link()?.lose()
            lab.time.advance(by: .milliseconds(250))
            attic.hear()
            lab.time.advance(by: .seconds(1))
            #expect(attic.availability() == "online")
            #expect(attic.link()?.writes(SampleFamily.motor) == [])
        }
    }

    @Test("A bridge that does not own a device publishes neither its events nor its streams")
    func silentEvents() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            attic.goOnline()
            attic.link()?.setHolding(true)
            lab.broker.send("bridge/ghost/availability", "online")
            lab.broker.claim()
            lab.time.advance(by: .seconds(2))
            lab.broker.clearLog()
            for value: [UInt8] in [[3, 1], [4, 1], [5, 1]] {
                attic.link()?.notify(SampleFamily.status, value)
            }
            #expect(lab.broker.log.filter { $0.message.topic.hasPrefix("sample/") } == [])
        }
    }
}
