import Bluetooth
import BridgeContract
import BridgeTesting
import Testing

@testable import ProxyRadio

@Suite("The radio of a bridge with Bluetooth proxies")
struct CompositeRadioTests {
    private static let belt = CompositeScene.belt

    @Test("Every adapter is reported and described, and every proxy is an adapter")
    func adapters() throws {
        let scene = CompositeScene()
        #expect(
            scene.takeEvents() == [
                .serviceReady, .adapterReady("hci0"), .adapterReady("proxy/kitchen"),
                .adapterReady("proxy/attic"),
            ])
        let description = try scene.run { [radio = scene.radio] in await radio.describe() }
        #expect(description.version == "5.66")
        #expect(description.adapters.map(\.name) == ["hci0", "proxy/kitchen", "proxy/attic"])
        #expect(description.adapters[1].slots == .init(free: 3, limit: 3))
        scene.host.tell(.serviceLost(reason: "bluetoothd was stopped"))
        scene.kitchen.tell(.adapterLost("proxy/kitchen"))
        #expect(
            scene.takeEvents() == [
                .serviceLost(reason: "bluetoothd was stopped"), .adapterLost("proxy/kitchen"),
            ])
    }

    @Test("A device is connected over the radio that receives it best")
    func best() throws {
        let scene = CompositeScene()
        scene.hear(-70)
        scene.kitchen.hear(Self.belt, -65)
        #expect(try scene.connect() == .success("hci0"))
        scene.attic.hear(Self.belt, -50)
        #expect(try scene.connect() == .success("proxy/attic"))
        #expect(try scene.connect(mayUseProxy: false) == .success("hci0"))
        #expect(scene.attic.read(\.requests) == [.connect(Self.belt)])
        #expect(scene.kitchen.read(\.requests) == [])
    }

    @Test("A device that may not use a proxy is refused if only proxies receive it")
    func proxyOnly() throws {
        let scene = CompositeScene()
        scene.kitchen.hear(Self.belt, -40)
        #expect(try scene.connect(mayUseProxy: false) == .failure(.init(code: .proxyOnly)))
        #expect(scene.kitchen.read(\.requests) == [])
        #expect(scene.host.requests == [])
    }

    @Test("Without an adapter of the host, the proxies work alone")
    func alone() throws {
        let scene = CompositeScene(adapter: nil)
        scene.host.tell(.serviceLost(reason: "no D-Bus"))
        #expect(try scene.connect() == .failure(.init(code: .unknownDevice)))
        scene.kitchen.hear(Self.belt, -80)
        #expect(try scene.connect() == .success("proxy/kitchen"))
        #expect(scene.host.requests == [])
    }

    @Test("A proxy that refuses a link for lack of slots is avoided until its slots change")
    func slots() throws {
        let scene = CompositeScene()
        scene.kitchen.hear(Self.belt, -40)
        scene.kitchen.set { $0.failure = RadioError(.noSlot, "no slot") }
        #expect(try scene.connect() == .failure(.init(code: .noSlot)))
        scene.kitchen.set { $0.failure = nil }
        scene.attic.hear(Self.belt, -80)
        #expect(try scene.connect() == .success("proxy/attic"))
        scene.kitchen.set { $0.freeSlots = 2 }
        #expect(try scene.connect() == .success("proxy/kitchen"))
        scene.kitchen.set { $0.freeSlots = 0 }
        #expect(try scene.connect() == .success("proxy/attic"))
        scene.executor.perform { scene.radio.avoid(["proxy/attic"]) }
        scene.kitchen.set { $0.freeSlots = 1 }
        #expect(try scene.connect() == .success("proxy/kitchen"))
        #expect(scene.attic.read(\.avoided) == ["proxy/attic"])
        #expect(scene.host.avoided == [["proxy/attic"]])
    }

    @Test("If another radio can connect, the session tries again soon, otherwise it waits for a slot")
    func retry() throws {
        let scene = CompositeScene()
        scene.kitchen.hear(Self.belt, -40)
        scene.attic.hear(Self.belt, -80)
        scene.kitchen.set { $0.failure = RadioError(.noSlot, "no slot") }
        #expect(try scene.connect() == .failure(.init(code: .busy)))
        #expect(try scene.connect() == .success("proxy/attic"))
        scene.attic.set { $0.failure = RadioError(.noSlot, "no slot") }
        #expect(try scene.connect() == .failure(.init(code: .noSlot)))
    }

    @Test("After a failed attempt, the next attempt uses another radio that receives the device")
    func unreachable() throws {
        let scene = CompositeScene()
        scene.kitchen.hear(Self.belt, -40)
        scene.hear(-90)
        scene.kitchen.set { $0.failure = RadioError(.unreachable, "no answer") }
        #expect(try scene.connect() == .failure(.init(code: .unreachable)))
        #expect(try scene.connect() == .success("hci0"))
    }

    @Test("Only one radio reports a device, and the session gets each change of the radio")
    func reports() {
        let scene = CompositeScene()
        _ = scene.takeEvents()
        scene.kitchen.hear(Self.belt, -60)
        scene.attic.hear(Self.belt, -80)
        scene.hear(-50)
        scene.kitchen.hear(Self.belt, -60)
        func heard(_ rssi: Int, _ adapter: String) -> RadioEvent {
            .heard(Advertisement(address: Self.belt, rssi: rssi), adapter: adapter)
        }
        #expect(scene.takeEvents() == [heard(-60, "proxy/kitchen"), heard(-50, "hci0")])
        scene.host.tell(.forgotten(Self.belt))
        #expect(scene.takeEvents() == [], "the proxies still know the device")
        scene.kitchen.hear(Self.belt, -61)
        #expect(scene.takeEvents() == [heard(-61, "proxy/kitchen")])
        scene.time.advance(by: .seconds(61))
        scene.kitchen.tell(.forgotten(Self.belt))
        #expect(scene.takeEvents() == [], "the other proxy still knows the device")
        scene.attic.tell(.forgotten(Self.belt))
        #expect(scene.takeEvents() == [.forgotten(Self.belt)])
    }

    @Test("Discovery, services and canceled attempts concern every radio")
    func forwarded() throws {
        let scene = CompositeScene()
        let token = try scene.run { [radio = scene.radio] in await radio.startDiscovery() }
        #expect(scene.host.discoveries == 1)
        #expect(scene.kitchen.read(\.discoveries) == 1)
        try scene.run { await token.end() }
        #expect(scene.host.discoveries == 0)
        #expect(scene.attic.read(\.discoveries) == 0)
        scene.executor.perform {
            scene.radio.use(serviceData: [UUID(0xFCD2)], companies: [0x004C])
            scene.radio.cancelConnecting(Self.belt)
        }
        #expect(scene.kitchen.read(\.serviceData) == [UUID(0xFCD2)])
        #expect(scene.kitchen.read(\.companies) == [0x004C])
        #expect(scene.attic.read(\.givenUp) == [Self.belt])
        #expect(scene.host.givenUp == [Self.belt])
    }

    @Test("A bond is made over the best radio, which keeps the device, and is removed everywhere")
    func bonds() throws {
        let scene = CompositeScene()
        scene.hear(-80)
        scene.kitchen.hear(Self.belt, -40)
        let requirements = LinkRequirements(required: [], bonding: .always, mayUseProxy: true)
        try scene.run { [radio = scene.radio] in try? await radio.pair(Self.belt, requirements: requirements)
        }
        #expect(scene.kitchen.read(\.requests) == [.pair(Self.belt)])
        scene.kitchen.set { $0.bonds = [Self.belt] }
        scene.hear(-30)
        #expect(try scene.connect() == .success("proxy/kitchen"))
        scene.host.failPairing(Self.belt, RadioError(.unknownDevice, "not known"))
        let isForgotten = try scene.run { [radio = scene.radio] in
            do {
                try await radio.forget(Self.belt)
                return true
            } catch {
                return false
            }
        }
        #expect(isForgotten, "it is enough that one radio succeeds")
        #expect(scene.kitchen.read(\.requests).last == .forget(Self.belt))
        #expect(scene.attic.read(\.requests) == [])
    }

    @Test("The state of each proxy is available for metrics")
    func figures() throws {
        let scene = CompositeScene()
        scene.kitchen.hear(Self.belt, -60)
        scene.attic.set { $0.freeSlots = nil }
        let figures = try scene.run { [radio = scene.radio] in await radio.figures() }
        #expect(
            figures == [
                ProxyFigures(name: "proxy/kitchen", freeSlots: 3, advertisements: 1),
                ProxyFigures(name: "proxy/attic", freeSlots: nil, advertisements: 0),
            ])
    }
}
