import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Devices that are connected on request only")
struct OnRequestTests {
    private static var family: SampleFamily {
        var family = SampleFamily()
        family.connectsOnRequest = true
        return family
    }
    private static let reason = JSON.Value.string("connected on request only")

    /// Expects that the bridge does not connect to the device.
    private func expectLeft(_ bench: TestBridge, _ place: SourceLocation = #_sourceLocation) {
        let (requests, connection) = (bench.radio.requests.count, bench.connection())
        #expect(connection?["state"] == "disconnected", sourceLocation: place)
        #expect(connection?["reason"] == Self.reason, sourceLocation: place)
        #expect(
            connection?["advice"]?.string?.contains("connect") == true, sourceLocation: place)
        #expect(bench.availability() == "offline", sourceLocation: place)
        #expect(bench.radio.discoveries == 0, sourceLocation: place)
        bench.hear()
        bench.time.advance(by: .seconds(120))
        bench.hear()
        #expect(bench.radio.requests.count == requests, sourceLocation: place)
    }

    @Test("The device is connected only by the request connect, and not again after its connection is lost")
    func life() {
        withBridge(Self.family) { bench in
            bench.connectBroker()
            expectLeft(bench)
            bench.send("level", "60")
            #expect(bench.lastResult() == "device_offline")

            // The device has just advertised.
            bench.request("connect", "sample")
            #expect(bench.lastResponse("connect") == "ok")
            #expect(bench.availability() == "online")
            bench.send("level", "60")
            #expect(bench.lastResult() == "ok")

            // The phone is connected to the device now.
            bench.link()?.lose()
            expectLeft(bench)
            bench.request("connect", "sample")
            bench.hear()
            #expect(bench.availability() == "online")
            bench.request("disconnect", "sample")
            #expect(bench.lastResponse("disconnect") == "ok")
            expectLeft(bench)
        }
    }

    @Test("A request that times out ends the search, and later advertisements are ignored")
    func absence() {
        withBridge(Self.family) { bench in
            bench.connectBroker()
            bench.request("connect", "sample")
            bench.time.advance(by: .seconds(29))
            #expect(bench.radio.discoveries == 1)
            #expect(bench.connection()?["state"] == "searching")
            bench.time.advance(by: .seconds(1))
            #expect(bench.lastResponse("connect") == "timeout")
            expectLeft(bench)
        }
    }

    @Test("A failed attempt is repeated until the request times out")
    func failure() {
        withBridge(Self.family) { bench in
            bench.connectBroker()
            let errors = (0..<20).map { _ in RadioError(.unreachable, "no answer") }
            for error in errors { bench.radio.failConnecting(BridgeSettings.sample, error) }
            bench.request("connect", "sample")
            for _ in 0..<30 {
                bench.hear()
                bench.time.advance(by: .seconds(1))
            }
            #expect(bench.radio.requests.count > 1)
            #expect(bench.lastResponse("connect") == "timeout")
            expectLeft(bench)
        }
    }

    @Test("A connection that is made after the timeout is used, but not made again after its loss")
    func late() {
        withBridge(Self.family) { bench in
            bench.connectBroker()
            bench.radio.setHolding(true)
            bench.request("connect", "sample")
            bench.hear()
            bench.time.advance(by: .seconds(31))
            #expect(bench.lastResponse("connect") == "timeout")
            bench.radio.completeNext()
            bench.radio.setHolding(false)
            bench.link()?.lose()
            expectLeft(bench)
        }
    }

    @Test("After a restart of the bridge, the device is not connected automatically")
    func restart() {
        let store = MemoryStore()
        for _ in 0..<2 {
            withLab { lab in
                let bench = lab.bridge(.oneDevice(), families: [Self.family], store: store)
                bench.connectBroker()
                expectLeft(bench)
                bench.request("connect", "sample")
                bench.hear()
                #expect(bench.availability() == "online")
                bench.shutDown()
                bench.time.advance(by: .seconds(2))
            }
        }
    }

    @Test("A permission admits the device and connects it once")
    func window() {
        withLab { lab in
            let bench = lab.bridge(.empty(), families: [Self.family])
            bench.connectBroker()
            bench.request("permit_join", #"{"seconds":60,"families":["sample"]}"#)
            bench.hear()
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            #expect(bench.events().contains("device_joined"))
            bench.link()?.lose()
            bench.time.advance(by: .seconds(60))
            expectLeft(bench)
        }
    }

    @Test("A reload with on_request disconnects the device, and a reload without it reconnects the device")
    func reload() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice(join: .configured))
            bench.goOnline()
            func reload(_ family: SampleFamily, _ revision: String) {
                var family = family
                family.revision = revision
                bench.configuration.set(
                    ReloadedConfiguration(settings: .oneDevice(join: .configured), families: [family]))
                bench.request("reload", "")
                bench.time.advance(by: .seconds(2))
            }
            reload(Self.family, "2")
            expectLeft(bench)
            reload(SampleFamily(), "3")
            bench.hear()
            #expect(bench.availability() == "online")
        }
    }
}
