import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HomeAssistant
import JSON
import Messages
import Testing

@Suite("Devices of a configuration that is read anew while the bridge runs")
struct ReloadTests {
    @Test(
        "One device comes, one goes, one is renamed; the others keep their links, and nothing is left behind")
    func fleet() {
        ReloadLab.withDevices(ReloadLab.settings(["a", "b", "c", nil])) { bench in
            for address in ReloadLab.addresses.prefix(3) {
                bench.link(address)?.notify(SampleFamily.status, [5, 42])
            }
            let answer = bench.reload(ReloadLab.settings(["a", nil, "d/left", "e"]))
            #expect(answer?["status"] == "ok")
            #expect(answer?["added"] == ["e"])
            #expect(answer?["removed"] == ["b"])
            #expect(answer?["renamed"] == [["device": "c", "to": "d/left"]])
            #expect(answer?["changed"] == [])
            for (address, disconnects) in zip(ReloadLab.addresses, [0, 1, 0, 0]) {
                #expect(bench.radio.links(address).map(\.disconnects) == [disconnects], "\(address)")
            }
            for name in ["a", "d/left", "e"] { #expect(bench.availability(name) == "online", "\(name)") }
            #expect(bench.broker.retained("a/level") == "42")
            #expect(bench.broker.retained("d/left/level") == "42")
            let left = bench.broker.retainedTopics.filter { $0.hasPrefix("b/") || $0.hasPrefix("c/") }
            #expect(left == [])
            // A stop under the former name is obeyed.
            #expect(
                bench.client.filters.map(\.filter).filter { $0.hasPrefix("b/") || $0.hasPrefix("c/") }
                    == ["c/stop/set", "c/halt/set"])
            for name in ["a", "d/left", "e"] {
                bench.send("level", "7", device: name)
                #expect(bench.lastResult(name) == "ok", "\(name)")
            }
            let events = bench.broker.objects("bridge/attic/event").filter {
                $0["event"] != "device_discovered"
            }
            #expect(events.compactMap { $0["event"] } == ["device_left", "device_joined", "config_reloaded"])
            let event = events.last
            #expect(event?["removed"] == ["b"])
            let devices = bench.broker.retainedObject("bridge/attic/devices")?.array
            #expect(devices?.map { $0["name"] } == ["a", "d/left", "e"])
        }
    }

    @Test("A device that comes is asked for: one that the host is connected to is not heard any more")
    func connectedToHost() {
        ReloadLab.withDevices(ReloadLab.settings(["a"])) { bench in
            var advertisement = Advertisement(address: ReloadLab.addresses[1], name: "b")
            advertisement.isConnected = true
            bench.radio.connectToHost(advertisement)
            bench.configuration.set(ReloadedConfiguration(settings: ReloadLab.settings(["a", "b"])))
            bench.request("reload", "")
            #expect(bench.availability("b") == "online")
        }
    }

    @Test("Two devices swap their names")
    func swap() {
        ReloadLab.withDevices(ReloadLab.settings(["a", "b"])) { bench in
            bench.link(ReloadLab.addresses[0])?.notify(SampleFamily.status, [5, 1])
            bench.link(ReloadLab.addresses[1])?.notify(SampleFamily.status, [5, 2])
            bench.reload(ReloadLab.settings(["b", "a"]))
            #expect(bench.broker.retained("b/level") == "1")
            #expect(bench.broker.retained("a/level") == "2")
            #expect(bench.connection("a")?["address"] == "AA:BB:CC:00:00:02")
            for address in ReloadLab.addresses.prefix(2) { #expect(bench.link(address)?.disconnects == 0) }
        }
    }

    @Test(
        "A device with other settings is let go in good order and connected anew with them; it keeps its memory"
    )
    func changed() {
        let store = MemoryStore()
        ReloadLab.withDevices(ReloadLab.settings(["a", "b"]), store: store) { bench in
            bench.link(ReloadLab.addresses[0])?.notify(SampleFamily.status, [3, 1])
            var after = ReloadLab.settings(["a", "b"])
            after.devices[0].settings = ["greeting": "ciao"]
            let answer = bench.reload(after)
            #expect(answer?["changed"] == ["a"])
            let links = bench.radio.links(ReloadLab.addresses[0])
            #expect(links.map(\.disconnects) == [1, 0])
            #expect(links.first?.writes(SampleFamily.control).last == [0xFF])
            #expect(links.last?.writes(SampleFamily.control) == [Array("ciao".utf8)])
            #expect(bench.availability("a") == "online")
            #expect(bench.link(ReloadLab.addresses[1])?.disconnects == 0)
            links.last?.notify(SampleFamily.status, [3, 1])
            #expect(store.state.devices.first?.memory == ["presses": 2])
        }
    }

    @Test("A device that the configuration drops and takes up again remembers what it was told to")
    func memory() {
        let store = MemoryStore()
        ReloadLab.withDevices(ReloadLab.settings(["a"]), store: store) { bench in
            bench.link(ReloadLab.addresses[0])?.notify(SampleFamily.status, [3, 1])
            bench.reload(ReloadLab.settings([]))
            #expect(bench.availability("a") == nil)
            bench.reload(ReloadLab.settings(["b"]))
            bench.link(ReloadLab.addresses[0])?.notify(SampleFamily.status, [3, 1])
            #expect(store.state.devices.first?.memory == ["presses": 2])
        }
    }

    @Test(
        "Devices that joined go when only configured ones are wanted, come back, and follow their family's section"
    )
    func joined() {
        let store = MemoryStore(
            BridgeState(devices: [.init(address: ReloadLab.addresses[0], family: "sample", name: "sample")]))
        ReloadLab.withDevices(ReloadLab.settings([], join: .permit, greeting: ""), store: store) { bench in
            #expect(bench.availability() == "online")
            bench.request("permit_join", "60")
            #expect(
                bench.reload(ReloadLab.settings([], join: .configured, greeting: ""))?["removed"] == [
                    "sample"
                ])
            #expect(bench.availability() == nil)
            #expect(bench.broker.retainedObject("bridge/attic/info")?["permit_join"] == false)
            #expect(bench.reload(ReloadLab.settings([], join: .permit, greeting: ""))?["added"] == ["sample"])
            #expect(bench.availability() == "online")
            #expect(
                bench.reload(ReloadLab.settings([], join: .permit, greeting: "hi"))?["changed"] == ["sample"])
            #expect(
                bench.link(ReloadLab.addresses[0])?.writes(SampleFamily.control) == [Array("hi".utf8)])
        }
    }

    @Test("A device that moves is stopped for the reason reload if something changes for it, and only then")
    func stops() {
        ReloadLab.withDevices(ReloadLab.settings(["a", "b"])) { bench in
            for name in ["a", "b"] { bench.send("aim", "90", device: name) }
            func motor(_ place: Int) -> [UInt8]? {
                bench.link(ReloadLab.addresses[place])?.writes(SampleFamily.motor).last
            }
            var after = ReloadLab.settings(["a", "b"])
            after.statsInterval = .seconds(7)
            after.groups = [.init(name: "hands", members: ["a"])]
            after.devices[0].appearance.area = "Hall"
            #expect(bench.reload(after)?["changed"] == [])
            #expect(motor(0) == [6, 45] && motor(1) == [6, 45])
            #expect(bench.broker.retainedObject("a/mode")?["stopped_by"] == nil)

            bench.reload(ReloadLab.settings(["new", "b"]))
            #expect(motor(0) == [0])
            #expect(bench.broker.retainedObject("new/mode")?["stopped_by"] == "reload")
            #expect(motor(1) == [6, 45])
            for address in ReloadLab.addresses.prefix(2) { #expect(bench.link(address)?.disconnects == 0) }

            let link = bench.link(ReloadLab.addresses[1])
            bench.reload(ReloadLab.settings(["new"]))
            #expect(link?.writes(SampleFamily.motor).last == [0])
        }
    }
}
