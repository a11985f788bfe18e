import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HomeAssistant
import JSON
import Messages
import Testing

@Suite("Devices after a reload of the configuration")
struct ReloadTests {
    @Test("A reload adds, removes and renames devices, keeps other connections, and leaves nothing behind")
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

    @Test("A new device that the host is already connected to is found without an advertisement")
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

    @Test("A device with other settings is disconnected cleanly, reconnected with them, and keeps its memory")
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
            #expect(store.state.devices.first?.memory["presses"] == 2)
        }
    }

    @Test("A device that the configuration removes and adds again keeps its memory")
    func memory() {
        let store = MemoryStore()
        ReloadLab.withDevices(ReloadLab.settings(["a"]), store: store) { bench in
            bench.link(ReloadLab.addresses[0])?.notify(SampleFamily.status, [3, 1])
            bench.reload(ReloadLab.settings([]))
            #expect(bench.availability("a") == nil)
            bench.reload(ReloadLab.settings(["b"]))
            bench.link(ReloadLab.addresses[0])?.notify(SampleFamily.status, [3, 1])
            #expect(store.state.devices.first?.memory["presses"] == 2)
        }
    }

    @Test(
        "Joined devices are removed with the policy configured, return later, and use their family's settings"
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

    @Test("A moving device is stopped with the reason reload only if its settings or name change")
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
