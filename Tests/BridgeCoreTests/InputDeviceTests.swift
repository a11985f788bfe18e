import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HomeAssistant
import HostTesting
import JSON
import Testing

@Suite("Devices that turn out to be keyboards")
struct InputDeviceTests {
    private static let first: Address = "AA:BB:CC:00:00:01"
    private static let second: Address = "AA:BB:CC:00:00:02"
    private static let line =
        "mosquitto_pub -t bridge/attic/request/permit_join -m \(first)"

    private func withEmpty(
        _ settings: BridgeSettings = .empty(), _ family: SampleFamily = SampleFamily(),
        store: MemoryStore = MemoryStore(), _ body: (TestBridge) throws -> Void
    ) rethrows {
        try withLab { lab in
            let bench = lab.bridge(settings, families: [family], store: store)
            bench.connectBroker()
            try body(bench)
        }
    }

    private func advertise(
        _ bench: TestBridge, _ services: Set<UUID>, _ address: Address = first, isPaired: Bool = false
    ) {
        bench.radio.hear(
            Advertisement(
                address: address, name: "sample device", services: services, rssi: -60, isPaired: isPaired))
    }

    private func event(_ bench: TestBridge, _ name: String) -> JSON.Value? {
        bench.broker.objects("bridge/attic/event").last { $0["event"] == .string(name) }
    }

    @Test(
        "A device that advertises an input service joins only by its address, and the event shows the command",
        arguments: [0x1812, 0x1124] as [UUID], [BridgeSettings.JoinPolicy.permit, .always])
    func advertised(_ service: UUID, _ join: BridgeSettings.JoinPolicy) {
        withEmpty(.empty(join: join)) { bench in
            bench.request("permit_join", "60")
            advertise(bench, [service], isPaired: true)
            #expect(bench.events() == ["device_discovered"])
            #expect(event(bench, "device_discovered")?["advice"]?.string?.hasSuffix(Self.line) == true)
            #expect(bench.radio.requests == [])
            bench.request("permit_join", #"{"address":"AA:BB:CC:00:00:01"}"#)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            #expect(bench.store.state.devices.map(\.isInput) == [true])
        }
    }

    @Test("A permission for a keyboard survives a restart, but does not apply to a device that becomes one")
    func named() {
        let store = MemoryStore()
        withEmpty(store: store) { bench in
            bench.radio.show([0x1812], on: Self.first)
            bench.request("permit_join", #"{"address":"AA:BB:CC:00:00:01"}"#)
            bench.hear(Self.first)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
        }
        withEmpty(store: store) { bench in
            bench.radio.show([0x1812], on: Self.first)
            bench.hear(Self.first)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
        }
        withEmpty { bench in
            bench.request("permit_join", #"{"address":"AA:BB:CC:00:00:01"}"#)
            bench.hear(Self.first)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.store.state.devices.map(\.isInput) == [false])
            bench.link(Self.first)?.tell(.services([0x1812]))
            bench.time.advance(by: .seconds(1))
            #expect(bench.availability() == "offline")
        }
    }

    @Test(
        "A device with an input service after the connection is removed with its new bond, and another may join",
        arguments: [0x1812, 0x1124] as [UUID])
    func found(_ service: UUID) {
        var family = SampleFamily()
        family.requirements.bonding = .onDemand
        withEmpty(.empty(), family) { bench in
            bench.radio.show([service], on: Self.first)
            bench.request("permit_join", "60")
            bench.hear(Self.first)
            bench.time.advance(by: .seconds(1))
            #expect(bench.link(Self.first)?.disconnects == 1)
            #expect(bench.radio.requests == [.pair(Self.first), .connect(Self.first), .forget(Self.first)])
            #expect(bench.link(Self.first)?.operations == [])
            for name in ["device_failed", "device_left"] {
                #expect(event(bench, name)?["address"] == .string(Self.first.description))
                #expect(
                    event(bench, name)?["reason"]?.string?.hasPrefix(
                        "it is also an input device, such as a keyboard (service 1")
                        == true)
            }
            #expect(event(bench, "device_left")?["reason"]?.string?.hasSuffix(Self.line) == true)
            #expect(bench.store.state.devices == [])
            #expect(bench.broker.retainedTopics.filter { $0.hasPrefix("sample/") } == [])
            // It is not connected again, although BlueZ has forgotten its services.
            bench.hear(Self.first)
            bench.time.advance(by: .seconds(1))
            #expect(bench.radio.links(Self.first).count == 1)
            bench.hear(Self.second)
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.store.state.devices.map(\.address) == [Self.second])
        }
    }

    @Test("A device that shows an input service during bonding is removed too")
    func whileBonding() {
        var family = SampleFamily()
        family.requirements.bonding = .onDemand
        withEmpty(.empty(), family) { bench in
            bench.radio.failPairing(
                Self.first,
                RadioError(.inputDevice, "it is also an input device, such as a keyboard (service 1812)"))
            bench.request("permit_join", "60")
            bench.hear(Self.first)
            bench.time.advance(by: .seconds(1))
            #expect(bench.radio.requests == [.pair(Self.first), .forget(Self.first)])
            #expect(bench.events().suffix(2) == ["device_failed", "device_left"])
        }
    }

    @Test("An old bond is kept")
    func oldBond() {
        withEmpty { bench in
            bench.radio.show([0x1812], on: Self.first)
            bench.request("permit_join", "60")
            bench.hear(Self.first, isPaired: true)
            bench.time.advance(by: .seconds(1))
            #expect(bench.events().suffix(2) == ["device_failed", "device_left"])
            #expect(!bench.radio.requests.contains(.forget(Self.first)))
        }
    }

    @Test("With the policy always, the device is removed too, and does not rejoin immediately")
    func always() {
        withEmpty(.empty(join: .always)) { bench in
            bench.radio.show([0x1124], on: Self.first)
            bench.hear(Self.first)
            bench.time.advance(by: .seconds(1))
            bench.hear(Self.first)
            bench.time.advance(by: .seconds(1))
            #expect(bench.events().count { $0 == "device_joined" } == 1)
            #expect(bench.events().last == "device_discovered")
            #expect(bench.store.state.devices == [])
        }
    }

    @Test(
        "A known device that becomes a keyboard is disconnected cleanly, keeps its bond, and is not reconnected"
    )
    func known() throws {
        try withBridge { bench in
            bench.goOnline()
            let link = try #require(bench.link())
            link.tell(.services([SampleFamily.status.service]))
            #expect(bench.availability() == "online")
            link.tell(.services([SampleFamily.status.service, 0x1812]))
            bench.time.advance(by: .seconds(2))
            #expect(link.disconnects == 1)
            #expect(link.writes(SampleFamily.control).last == [0xFF], "its last word")
            #expect(bench.events() == ["device_failed"])
            #expect(bench.connection()?["state"] == "error")
            #expect(bench.connection()?["advice"]?.string?.contains("permit_join with address") == true)
            // The device now advertises the service, so it is not even connected.
            bench.time.advance(by: .seconds(290))
            advertise(bench, [0x1812], BridgeSettings.sample, isPaired: true)
            bench.time.advance(by: .seconds(20))
            advertise(bench, [0x1812], BridgeSettings.sample, isPaired: true)
            bench.time.advance(by: .seconds(20))
            #expect(bench.radio.requests == [.connect(BridgeSettings.sample)])
            // The bridge takes over the host's own connection to close it.
            bench.radio.show([0x1812], on: BridgeSettings.sample)
            bench.radio.hear(
                Advertisement(
                    address: BridgeSettings.sample, name: "sample device", services: [0x1812], isPaired: true,
                    isConnected: true))
            bench.time.advance(by: .seconds(5))
            #expect(bench.link()?.disconnects == 1 && bench.radio.links(BridgeSettings.sample).count == 2)
        }
    }

    @Test("A device of an input device family is used regardless of its input services")
    func declared() {
        var family = SampleFamily()
        family.requirements.isInputDevice = true
        #expect(
            family.requirements.services.contains(0x1812) && !family.requirements.services.contains(0x1124))
        withBridge(family) { bench in
            bench.radio.show([0x1812, 0x1124], on: BridgeSettings.sample)
            bench.goOnline()
            #expect(bench.availability() == "online")
            #expect(bench.link()?.isSettled == true)
        }
    }

    @Test(
        "A keyboard that advertises during a permission is shown next to Home Assistant's button until it joins"
    )
    func button() {
        var family = SampleFamily()
        family.requirements.isInputDevice = true
        var settings = BridgeSettings.empty()
        settings.homeAssistant = HomeAssistantSettings()
        withEmpty(settings, family) { bench in
            func button() -> JSON.Value? {
                bench.broker.retainedObject("homeassistant/device/tactile_bridge_bridge_attic/config")?
                    .announcement?["components"]?["permit_join_start"]
            }
            func name() -> String? { button()?["name"]?.string }
            #expect(name() == "Permit join")
            bench.hear(Self.first)
            #expect(name() == "Permit join", "nobody asked")
            bench.request("permit_join", "60")
            bench.hear(Self.first)
            #expect(
                name()
                    == "Permit join (not with this button: \(family.displayName) \(Self.first): \(Self.line))"
            )
            #expect(button()?["default_entity_id"] == "button.tactile_bridge_attic_permit_join")
            bench.request("permit_join", #"{"address":"\#(Self.first)"}"#)
            #expect(name() == "Permit join")
        }
    }
}
