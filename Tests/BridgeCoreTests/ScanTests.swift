import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("The request scan")
struct ScanTests {
    private static let stranger: Address = "AA:BB:CC:00:00:09"

    private func devices(_ bench: TestBridge) -> [JSON.Value]? {
        bench.broker.objects("bridge/attic/response/scan").last?["devices"]?.array
    }

    @Test("scan answers after its duration with the devices in range, known families first, and admits none")
    func answer() throws {
        try withLab { lab in
            var other = SampleFamily()
            other.name = "sam"
            let bench = lab.bridge(.oneDevice(), families: [SampleFamily(), other])
            bench.goOnline()
            bench.hear("AA:BB:CC:00:00:08", rssi: -10)
            bench.request("scan", "10")
            #expect(bench.radio.discoveries == 1)
            bench.hear(Self.stranger, name: nil, rssi: -30)
            bench.hear("AA:BB:CC:00:00:01", rssi: -70)
            bench.hear("AA:BB:CC:00:00:02", rssi: -50)
            bench.hear("AA:BB:CC:00:00:03", rssi: nil)
            bench.time.advance(by: .seconds(9))
            #expect(devices(bench) == nil)
            bench.time.advance(by: .seconds(1))
            let found = try #require(devices(bench))
            #expect(
                found.map { $0["address"]?.string } == [
                    "AA:BB:CC:00:00:02", "AA:BB:CC:00:00:01", Self.stranger.description,
                ])
            #expect(found.first?["families"] == ["sample", "sam"])
            #expect(
                found.first?["advice"]?.string
                    == "mosquitto_pub -t bridge/attic/request/permit_join -m AA:BB:CC:00:00:02"
            )
            #expect(
                found.last == [
                    "address": .string(Self.stranger.description), "name": nil, "rssi": -30, "families": [],
                    "device": nil, "connected": false, "paired": false, "adapter": "hci0",
                    "advice": "tactile-bridge probe AA:BB:CC:00:00:09",
                ])
            #expect(bench.radio.discoveries == 0)
            #expect(!bench.events().contains("device_joined"))
        }
    }

    @Test("scan lists the devices that the host is connected to, with their names")
    func connected() throws {
        try withLab { lab in
            lab.known = [
                Advertisement(
                    address: BridgeSettings.sample, name: "sample device", isPaired: true, isConnected: true)
            ]
            let bench = lab.bridge(.oneDevice())
            bench.connectBroker()
            bench.request("scan", "5")
            bench.time.advance(by: .seconds(5))
            let device = try #require(devices(bench)?.first)
            #expect(device["device"] == "sample" && device["connected"] == true && device["paired"] == true)
            #expect(device["rssi"] == .null && device["advice"] == .null)
        }
    }

    @Test("Several scans are answered separately, and too many are refused")
    func several() {
        withLab { lab in
            let bench = lab.bridge(.empty())
            bench.connectBroker()
            bench.request("scan", "10")
            bench.hear(Self.stranger, name: nil)
            bench.time.advance(by: .seconds(5))
            bench.request("scan", "10")
            bench.time.advance(by: .seconds(5))
            #expect(devices(bench)?.count == 1)
            #expect(bench.radio.discoveries == 1)
            bench.time.advance(by: .seconds(5))
            #expect(devices(bench)?.isEmpty == true)
            for _ in 0...16 { bench.request("scan", "60") }
            #expect(bench.lastResponse("scan") == "busy")
        }
    }

    @Test("scan is refused with advice without an adapter, and answered early on shutdown")
    func ends() {
        withLab { lab in
            let bench = lab.bridge(.empty(), adapter: nil)
            bench.connectBroker()
            bench.request("scan", "5")
            let refusal = bench.broker.objects("bridge/attic/response/scan").last
            #expect(refusal?["message"]?.string?.contains("bluetoothctl show") == true)
            bench.radio.tell(.adapterReady("hci0"))
            bench.request("scan", "600")
            bench.hear(Self.stranger, name: nil)
            bench.shutDown()
            #expect(devices(bench)?.count == 1)
        }
    }
}
