import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Handovers, orphans and conflicts in the statistics")
struct HandOverCountTests {
    private func fleet(_ bench: TestBridge, _ bridge: String) -> JSON.Value? {
        bench.broker.objects("bridge/\(bridge)/stats").last?["fleet"]
    }

    @Test("The new bridge of a roaming device counts a handover and the time without a connection")
    func roaming() {
        withLab { lab in
            let (attic, cellar) = (lab.bridge(.oneDevice("attic")), lab.bridge(.oneDevice("cellar")))
            attic.goOnline()
            cellar.connectBroker()
            attic.link()?.lose("out of reach")
            attic.time.advance(by: .seconds(1))
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(attic.connection()?["bridge"] == "cellar")
            cellar.time.advance(by: .seconds(60))
            let came = fleet(cellar, "cellar")
            #expect(
                came?["hand_overs"] == ["released": 1, "died": 0, "advertised": 0, "contested": 0])
            #expect(came?["orphans"] == 0)
            let left = fleet(attic, "attic")
            #expect(left?["hand_overs"] == ["released": 0, "died": 0, "advertised": 0, "contested": 0])
            // The times cover the last interval.
            let times = cellar.broker.objects("bridge/cellar/stats").compactMap {
                $0["fleet"]?["hand_over_time"]
            }
            #expect(times.compactMap { $0["count"]?.integer }.reduce(0, +) == 1)
            let longest = times.compactMap { $0["max_ms"]?.double }.max() ?? 0
            #expect((1000...1250).contains(longest), "\(longest)")
        }
    }

    @Test("An orphan counts on one bridge, and a device that returns to its bridge is no handover")
    func orphans() {
        withLab { lab in
            let (attic, cellar) = (lab.bridge(.oneDevice("attic")), lab.bridge(.oneDevice("cellar")))
            attic.connectBroker()
            cellar.connectBroker()
            attic.time.advance(by: .seconds(60))
            let counts = [fleet(attic, "attic"), fleet(attic, "cellar")].compactMap {
                $0?["orphans"]?.integer
            }
            #expect(counts.sorted() == [0, 1])
            attic.hear()
            attic.time.advance(by: .seconds(1))
            attic.link()?.lose()
            attic.time.advance(by: .seconds(3))
            attic.hear()
            attic.time.advance(by: .seconds(30))
            let figures = fleet(attic, "attic")
            #expect(figures?["hand_overs"]?["released"] == 0)
            #expect(figures?["orphans"] == 0)
            #expect((figures?["offers"]?.integer ?? 0) >= 1)
        }
    }

    @Test("A forged claim on a connected device is a conflict and no handover")
    func conflict() {
        withBridge { bench in
            bench.goOnline()
            bench.broker.send(
                "claim/aabbcca1b2c3", #"{"v":1,"bridge":"cellar","epoch":9,"state":"linked"}"#)
            bench.time.advance(by: .seconds(30))
            let figures = fleet(bench, "attic")
            #expect(figures?["conflicts"] == 1)
            #expect(figures?["hand_overs"]?["contested"] == 0)
        }
    }
}
