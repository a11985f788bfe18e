import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("A device that several families recognize")
struct CandidateTests {
    private static let address: Address = "AA:BB:CC:00:00:01"

    private static func family(_ name: String, _ rank: MatchRank) -> SampleFamily {
        var family = SampleFamily()
        (family.name, family.rank) = (name, rank)
        return family
    }

    /// Runs a test with two families. `sam` recognizes a part of the device's name, `sample` recognizes a service.
    private func withTwo(_ body: (TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            let bench = lab.bridge(
                .empty(),
                families: [
                    Self.family("sam", MatchRank(.partialName, literals: 9)),
                    Self.family("sample", MatchRank(.identifier)),
                ])
            bench.connectBroker()
            try body(bench)
        }
    }

    private func family(_ bench: TestBridge) -> String? {
        bench.time.advance(by: .milliseconds(500))
        return bench.store.state.devices.first?.family
    }

    @Test(
        "The device joins with the best family that the permission allows",
        arguments: [
            ("60", "sample"), (#"{"address":"AA:BB:CC:00:00:01"}"#, "sample"),
            (#"{"families":["sam"]}"#, "sam"), (#"{"families":["sam","sample"]}"#, "sample"),
            (#"{"address":"AA:BB:CC:00:00:01","families":["sam"]}"#, "sam"),
        ])
    func windows(_ request: String, _ expected: String) {
        withTwo { bench in
            bench.hear(Self.address)
            bench.request("permit_join", request)
            bench.hear(Self.address)
            #expect(family(bench) == expected)
        }
    }

    @Test("A waiting device takes its turn with a family that the permission allows")
    func turn() {
        withTwo { bench in
            let other: Address = "AA:BB:CC:00:00:02"
            for _ in 0..<9 { bench.radio.failConnecting(other, RadioError(.unreachable, "no")) }
            bench.request("permit_join", #"{"seconds":120,"families":["sam"]}"#)
            bench.hear(other)
            for _ in 0..<14 {
                bench.hear(Self.address)
                bench.time.advance(by: .seconds(1))
            }
            #expect(bench.store.state.devices.map(\.address) == [Self.address])
            #expect(family(bench) == "sam")
        }
    }

    @Test("The device is announced with all its families, the best first")
    func announced() {
        withTwo { bench in
            bench.hear(Self.address)
            let event = bench.broker.objects("bridge/attic/event").last
            #expect(event?["family"] == "sample" && event?["families"] == ["sample", "sam"])
        }
    }
}
