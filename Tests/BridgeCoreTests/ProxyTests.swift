import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Testing

@Suite("Devices over Bluetooth proxies")
struct ProxyTests {
    private static let proxy = "proxy/kitchen"

    private static func family(mayUseProxy: Bool) -> SampleFamily {
        var family = SampleFamily()
        family.requirements.mayUseProxy = mayUseProxy
        return family
    }

    /// Runs a test with a bridge whose radio connects devices over a proxy.
    private func withProxy(mayUseProxy: Bool, _ body: (TestBridge) throws -> Void) rethrows {
        try withBridge(Self.family(mayUseProxy: mayUseProxy)) { bench in
            bench.radio.setLinkAdapter(Self.proxy)
            bench.goOnline()
            try body(bench)
        }
    }

    @Test("A link over a proxy that the family does not allow is closed before anything is sent")
    func refused() throws {
        try withProxy(mayUseProxy: false) { bench in
            let link = try #require(bench.link())
            #expect(link.operations == [] && link.disconnects == 1)
            let connection = bench.connection()
            #expect(connection?["reason_code"] == "proxy_only")
            #expect(connection?["state"] == "searching")
            #expect(connection?["advice_code"] == "use_adapter")
            #expect(connection?["advice"]?.string?.contains("near an adapter of the host") == true)
            #expect(bench.availability() == "offline")
            #expect(bench.guardian.words == [])
            // As soon as an adapter of the host receives the device, it is used.
            bench.radio.setLinkAdapter("hci0")
            bench.time.advance(by: .seconds(30))
            bench.hear()
            #expect(bench.availability() == "online")
        }
    }

    @Test("A radio that refuses a proxy is not asked again before 30 s")
    func radioRefuses() {
        withBridge { bench in
            bench.radio.failConnecting(
                BridgeSettings.sample, RadioError(.proxyOnly, "only a proxy receives it"))
            bench.goOnline()
            #expect(bench.connection()?["reason_code"] == "proxy_only")
            bench.time.advance(by: .seconds(29))
            bench.hear()
            #expect(bench.radio.requests.count == 1)
            bench.time.advance(by: .seconds(1))
            bench.hear()
            #expect(bench.radio.requests.count == 2 && bench.availability() == "online")
        }
    }

    @Test("A stop of all devices reaches a device over a proxy, and is answered when it is written")
    func allStop() throws {
        try withProxy(mayUseProxy: true) { bench in
            bench.broker.send("all/stop/set", #"{"id":1}"#)
            let link = try #require(bench.link())
            #expect(link.writes(SampleFamily.motor).last == [0])
            #expect(bench.results("all").last?["status"] == "ok")
        }
    }

    @Test("A device that moves is never connected over a proxy, whatever its family states")
    func hazardous() throws {
        try withLab { lab in
            let address: Address = "AA:BB:CC:00:00:07"
            let settings = BridgeSettings(
                id: "attic",
                devices: [.init(name: "roller", family: "roller", address: address, settings: [:])],
                families: ["roller": [:]], version: "1.0")
            var roller = RollerFamily()
            roller.requirements.mayUseProxy = true
            let bench = lab.bridge(settings, families: [roller])
            bench.radio.setLinkAdapter(Self.proxy)
            bench.connectBroker()
            bench.hear(address, name: "roller")
            #expect(bench.radio.requirements.map(\.mayUseProxy) == [false])
            let link = try #require(bench.link(address))
            #expect(link.operations == [] && link.disconnects == 1)
        }
    }

    @Test("A device that may use a proxy is online over it; the guardian receives nothing")
    func allowed() throws {
        try withProxy(mayUseProxy: true) { bench in
            #expect(bench.availability() == "online")
            #expect(bench.connection()?["bluetooth_adapter"] == .string(Self.proxy))
            #expect(bench.radio.requirements.map(\.mayUseProxy) == [true])
            bench.send("level", "5")
            let link = try #require(bench.link())
            #expect(link.writes(SampleFamily.control).last == [5, 5])
            #expect(bench.guardian.words == [])
            bench.shutDown()
            #expect(bench.isOver && bench.guardian.words == [])
        }
    }

    @Test("The link is closed only after the device has acknowledged its last writes")
    func closing() throws {
        try withProxy(mayUseProxy: true) { bench in
            let link = try #require(bench.link())
            link.setHolding(true)
            bench.shutDown()
            #expect(link.waiting.count > 0 && link.disconnects == 0)
            bench.time.advance(by: .milliseconds(1400))
            #expect(link.disconnects == 0)
            link.setHolding(false)
            #expect(link.disconnects == 1 && bench.isOver)
            #expect(bench.log.count(.warning, "disconnected from its proxy before") == 0)
        }
    }

    @Test("Last writes that are not acknowledged in time are reported, and the link is closed")
    func lateClosing() throws {
        try withProxy(mayUseProxy: true) { bench in
            let link = try #require(bench.link())
            link.setHolding(true)
            bench.shutDown()
            bench.time.advance(by: .milliseconds(1600))
            link.setHolding(false)
            #expect(link.disconnects == 1 && bench.isOver)
            #expect(bench.log.count(.warning, "disconnected from its proxy before") == 1)
            #expect(bench.guardian.words == [])
        }
    }

    @Test(
        "After a failure, the link is closed when the writes that are under way have ended",
        arguments: [true, false])
    func failure(isAnswered: Bool) throws {
        try withProxy(mayUseProxy: true) { bench in
            let link = try #require(bench.link())
            link.setHolding(true)
            bench.send("stop", "")
            #expect(link.waiting.count == 1)
            // The device reports something that makes it unusable.
            link.notify(SampleFamily.status, [6, 0])
            #expect(link.disconnects == 0)
            if isAnswered { link.setHolding(false) } else { bench.time.advance(by: .milliseconds(1500)) }
            #expect(link.disconnects == 1)
            #expect(bench.connection()?["reason"] == "it said so")
        }
    }

    @Test("A proxy is used only while no other bridge uses it")
    func shared() {
        func proxy(_ sharing: RadioDescription.Adapter.Sharing) -> RadioDescription.Adapter {
            .init(
                name: Self.proxy, address: "C0:FF:EE:00:00:01", isPowered: sharing == .used,
                problem: sharing == .used ? nil : "another bridge uses it", sharing: sharing)
        }
        func info(_ isUsing: Bool) -> String {
            #"{"adapters":[{"name":"proxy/attic","address":"C0:FF:EE:00:00:01","powered":\#(isUsing)}]}"#
        }
        withBridge { bench in
            bench.radio.setProxies([proxy(.waiting)])
            #expect(bench.radio.shares == [], "the other bridges are unknown")
            bench.goOnline()
            #expect(Set(bench.radio.shares) == ["own"])

            bench.broker.send("bridge/ghost/availability", "online")
            bench.broker.send("bridge/ghost/info", info(true))
            bench.time.advance(by: .seconds(2))
            #expect(bench.radio.shares.last == "ghost")
            bench.broker.send("bridge/ghost/info", info(false))
            bench.time.advance(by: .milliseconds(2999))
            #expect(bench.radio.shares.last == "ghost")
            bench.time.advance(by: .seconds(4))
            #expect(bench.radio.shares.last == "own")

            bench.broker.send("bridge/ghost/info", info(true))
            #expect(bench.radio.shares.last == "ghost")
            bench.broker.send("bridge/ghost/availability", "offline")
            bench.time.advance(by: .seconds(3))
            #expect(bench.radio.shares.last == "own")
            let count = bench.radio.shares.count
            bench.radio.setProxies([proxy(.used)])
            bench.broker.send("bridge/ghost/availability", "online")
            bench.broker.send("bridge/ghost/info", info(true))
            bench.time.advance(by: .seconds(60))
            #expect(bench.radio.shares.count == count)
        }
    }
}
