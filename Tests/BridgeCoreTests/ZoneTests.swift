import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Zones")
struct ZoneTests {
    private static func settings(_ bridge: String, zone: String) -> BridgeSettings {
        var settings = BridgeSettings.oneDevice(bridge)
        settings.zone = zone
        return settings
    }

    /// Runs a test with two bridges in different zones that know the same device.
    private func withZones(_ body: (_ attic: TestBridge, _ cellar: TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            let attic = lab.bridge(Self.settings("attic", zone: "up"))
            let cellar = lab.bridge(Self.settings("cellar", zone: "down"))
            attic.goOnline()
            cellar.connectBroker()
            try body(attic, cellar)
        }
    }

    @Test("A device is in the zone of the bridge that has it, also after it changed the bridge")
    func moves() {
        withZones { attic, cellar in
            attic.broker.send("zone/up/level/set", "60")
            attic.broker.send("zone/down/level/set", "70")
            #expect(attic.control.last == [5, 60])
            #expect(attic.results("zone/up").last?["status"] == "ok")
            attic.link()?.lose("out of reach")
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            attic.broker.send("zone/up/level/set", "80")
            attic.broker.send("zone/down/level/set", "90")
            #expect(cellar.control.last == [5, 90])
            #expect(!attic.control.contains([5, 80]) && !cellar.control.contains([5, 80]))
        }
    }

    @Test("With two hosts in a zone, the host that has the device stops it")
    func twoHosts() {
        withLab { lab in
            let benches = ["attic", "cellar"].map { lab.bridge(Self.settings($0, zone: "up")) }
            for bench in benches { bench.connectBroker() }
            for (holder, other) in [(benches[0], benches[1]), (benches[1], benches[0])] {
                holder.hear()
                lab.time.advance(by: .seconds(3))
                lab.broker.clearLog()
                let before = other.link()?.writes(SampleFamily.motor).count
                lab.broker.send("zone/up/stop/set", #"{"id":1}"#)
                #expect(holder.link()?.writes(SampleFamily.motor) == [[0]])
                #expect(other.link()?.writes(SampleFamily.motor).count == before)
                let answers = lab.broker.objects("zone/up/result")
                #expect(Set(answers.map { $0["bridge"]?.string }) == ["attic", "cellar"])
                #expect(answers.flatMap { $0["members"]?.array ?? [] }.map { $0["device"] } == ["sample"])
                holder.link()?.lose("out of reach")
            }
        }
    }

    @Test("The stop of a zone stops everything there, whatever the payload, and each of its bridges answers")
    func stops() {
        withZones { attic, _ in
            for payload in ["", "now", "{\"x\":", #"{"channel":9}"#] {
                attic.broker.send("zone/up/stop/set", payload)
            }
            #expect(attic.link()?.writes(SampleFamily.motor) == [[0], [0], [0], [0]])
            #expect(attic.broker.retainedObject("sample/mode")?["stopped_by"] == "all_stop")
            #expect(attic.results("zone/up").count == 4)
            attic.broker.send("zone/down/stop/set", "now")
            #expect(attic.link()?.writes(SampleFamily.motor).count == 4)
            let answer = attic.results("zone/down").last
            #expect(answer?["bridge"] == "cellar" && answer?["members"] == [] && answer?["status"] == "ok")
        }
    }

    @Test("A retained stop of a zone is obeyed at each connect, and stops are never rate limited")
    func retained() {
        withLab { lab in
            let bench = lab.bridge(Self.settings("attic", zone: "up"))
            bench.connectBroker()
            bench.hear()
            for _ in 0..<200 { bench.broker.send("zone/up/stop/set", "now") }
            #expect(bench.link()?.writes(SampleFamily.motor).count == 200)
            bench.broker.send("zone/up/stop/set", "now", retain: true)
            let before = bench.link()?.writes(SampleFamily.motor).count ?? 0
            bench.client.lose()
            bench.connectBroker()
            // One write is for the lost broker, and one for the retained stop.
            #expect(bench.link()?.writes(SampleFamily.motor).count == before + 2)
        }
    }

    @Test("A robot does not move if the broker refuses the subscription to the stop of its zone")
    func refusedSubscription() {
        withLab { lab in
            let address: Address = "AA:BB:CC:00:00:07"
            var settings = BridgeSettings(
                id: "attic", devices: [.init(name: "roller", family: "roller", address: address)],
                families: ["roller": [:]])
            settings.zone = "up"
            let bench = lab.bridge(settings, families: [RollerFamily()])
            bench.client.refuseSubscription("zone/up/+/set")
            bench.connectBroker()
            bench.hear(address, name: "roller")
            bench.letStartPass()
            bench.send("roll", #"{"duration_ms":500,"id":1}"#, device: "roller")
            let result = bench.results("roller").last
            #expect(result?["reason"] == "subscription")
            #expect(result?["message"]?.string?.contains("zone/up/+/set") == true, "\(result ?? .null)")
        }
    }

    @Test("A reload moves the bridge to another zone")
    func reloaded() {
        withLab { lab in
            let bench = lab.bridge(Self.settings("attic", zone: "up"))
            bench.connectBroker()
            bench.hear()
            bench.reload(Self.settings("attic", zone: "down"))
            bench.broker.send("zone/up/level/set", "60")
            #expect(!bench.control.contains([5, 60]))
            bench.broker.send("zone/down/level/set", "70")
            #expect(bench.control.last == [5, 70])
            #expect(!bench.client.filters.contains { $0.filter.hasPrefix("zone/up/") })
            #expect(bench.broker.retainedObject("bridge/attic/groups/zone/down")?["online"] == 1)
            bench.time.advance(by: .seconds(2))
            #expect(bench.broker.retained("bridge/attic/groups/zone/up") == nil)
        }
    }

    @Test("A group of an older configuration with the name of the zone does not limit the zone to stops")
    func olderGroup() {
        withLab { lab in
            var settings = Self.settings("attic", zone: "up")
            settings.groups = [.init(name: "zone/up", members: ["sample"])]
            let bench = lab.bridge(settings)
            bench.connectBroker()
            bench.hear()
            bench.broker.send("zone/up/level/set", "60")
            #expect(bench.control.last == [5, 60])
        }
    }

    @Test("A stop to a zone with the former name of a device reaches that device and the whole zone")
    func formerName() {
        withLab { lab in
            var settings = Self.settings("attic", zone: "up")
            settings.join = .permit
            settings.devices = []
            let (first, second): (Address, Address) = ("AA:BB:CC:00:00:01", "AA:BB:CC:00:00:02")
            // The name was reserved after the device received it, so the device is renamed at the start.
            let store = MemoryStore(
                BridgeState(devices: [
                    .init(address: first, family: "sample", name: "zone/up"),
                    .init(address: second, family: "sample", name: "other"),
                ]))
            let bench = lab.bridge(settings, store: store)
            bench.connectBroker()
            for address in [first, second] { bench.hear(address, name: "any") }
            bench.broker.send("zone/up/stop/set", "now")
            for address in [first, second] {
                let writes = bench.link(address)?.writes(SampleFamily.motor) ?? []
                #expect(!writes.isEmpty && writes.allSatisfy { $0 == [0] }, "\(address)")
            }
        }
    }
}
