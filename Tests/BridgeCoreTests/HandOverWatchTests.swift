import BridgeTesting
import Claims
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeCore

@Suite("How devices come from other bridges, counted")
struct HandOverWatchTests {
    private enum Step {
        case linked, storedLink, released, storedRelease, died, advertised
    }

    private static func claim(_ state: Claim.State, isStored: Bool = false) -> Claim {
        Claim(bridge: "cellar", epoch: 4, state: state, isStored: isStored)
    }

    private static func watch(_ steps: [(Step, Int)]) -> HandOverWatch {
        var watch = HandOverWatch()
        for (step, milliseconds) in steps {
            let now = Duration.milliseconds(milliseconds)
            switch step {
            case .linked: watch.heard(claim(.linked), at: now)
            case .storedLink: watch.heard(claim(.linked, isStored: true), at: now)
            case .released: watch.heard(claim(.released), at: now)
            case .storedRelease: watch.heard(claim(.released, isStored: true), at: now)
            case .died: watch.holderDied(at: now)
            case .advertised: watch.advertised(at: now)
            }
        }
        return watch
    }

    private static let table: [(steps: [(Step, Int)], reason: HandOverReason, time: Int?)] = [
        ([(.linked, 0), (.released, 5000)], .released, 5000),
        ([(.storedRelease, 0)], .released, nil),
        ([(.linked, 0), (.died, 6000), (.died, 9000)], .died, 4000),
        ([(.linked, 0), (.advertised, 999), (.died, 6000)], .died, 4000),
        // The air tells it first, the bridge later.
        ([(.linked, 0), (.advertised, 1000), (.advertised, 4000)], .advertised, 9000),
        ([(.linked, 0), (.advertised, 4000), (.released, 6000)], .released, 6000),
        // What ended does not end anew, and a new link takes the end back.
        ([(.linked, 0), (.released, 2000), (.advertised, 4000), (.died, 5000)], .released, 8000),
        ([(.linked, 0), (.released, 2000), (.linked, 3000)], .contested, nil),
        ([(.storedLink, 0), (.died, 5000)], .died, 5000),
        ([(.died, 0)], .contested, nil), ([], .contested, nil),
    ]

    @Test("The reason, and the time since its first sign", arguments: table.indices)
    func reasons(_ index: Int) {
        let (steps, reason, time) = Self.table[index]
        var watch = Self.watch(steps)
        let taken = watch.take(at: .seconds(10))
        #expect(taken.reason == reason)
        #expect(taken.time == time.map { Duration.milliseconds($0) })
        #expect(watch.take(at: .seconds(11)).reason == .contested)
    }

    private func fleet(_ bench: Bench, _ bridge: String) -> JSON.Value? {
        bench.broker.objects("bridge/\(bridge)/stats").last?["fleet"]
    }

    @Test(
        "A device that roams is counted where it comes to, with the offer and the time that nobody had it"
    )
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
            // Times are of the last interval.
            let times = cellar.broker.objects("bridge/cellar/stats").compactMap {
                $0["fleet"]?["hand_over_time"]
            }
            #expect(times.compactMap { $0["count"]?.integer }.reduce(0, +) == 1)
            let longest = times.compactMap { $0["max_ms"]?.double }.max() ?? 0
            #expect((1000...1250).contains(longest), "\(longest)")
        }
    }

    @Test(
        "A device that nobody has is one bridge's orphan, and a bridge's own device that comes back no hand-over"
    )
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

    @Test("A forged claim on a link that answers is a conflict, and no hand-over")
    func conflict() {
        withBench { bench in
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
