import Bluetooth
import BridgeContract
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Devices that are visited")
struct VisitTests {
    private func withVisits(_ body: (TestBridge) -> Void) {
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), families: [VisitedFamily()])
            bench.radio.setUpLinks { $0.set(SampleFamily.status, [40]) }
            bench.connectBroker()
            body(bench)
        }
    }

    private func visits(_ bench: TestBridge) -> Int { bench.radio.requests.count }

    /// Expects that the bridge waits for the next visit.
    private func expectBetween(_ bench: TestBridge, _ place: SourceLocation = #_sourceLocation) {
        #expect(bench.availability() == "online", sourceLocation: place)
        #expect(bench.connection()?["state"] == "disconnected", sourceLocation: place)
        #expect(bench.connection()?["reason_code"] == "between_visits", sourceLocation: place)
        #expect(bench.connection()?["next_attempt"]?.string != nil, sourceLocation: place)
        #expect(bench.radio.discoveries == 0, sourceLocation: place)
    }

    @Test(
        "The bridge connects, reads, disconnects, and connects again after the period; the device stays online"
    )
    func life() {
        withVisits { bench in
            #expect(bench.availability() == "offline" && bench.radio.discoveries == 1)
            bench.hear()
            #expect(bench.broker.retained("sample/level") == "40")
            #expect(bench.link()?.disconnects == 1)
            expectBetween(bench)
            bench.hear()
            bench.time.advance(by: .seconds(590))
            #expect(visits(bench) == 1)
            bench.time.advance(by: .seconds(11))
            // An earlier advertisement does not start a visit.
            #expect(visits(bench) == 1 && bench.radio.discoveries == 1)
            bench.hear()
            #expect(visits(bench) == 2)
            expectBetween(bench)
            #expect(bench.broker.texts("sample/availability").last == "online")
            #expect(bench.broker.texts("sample/availability").filter { $0 == "offline" }.count == 1)
        }
    }

    @Test(
        "The device is offline after two and a half periods without a visit, and online after the next visit")
    func absence() {
        withVisits { bench in
            bench.hear()
            bench.time.advance(by: .seconds(1499))
            #expect(bench.availability() == "online")
            bench.time.advance(by: .seconds(2))
            #expect(bench.availability() == "offline")
            #expect(bench.radio.discoveries == 1)
            bench.send("level", "60")
            #expect(bench.lastResult() == "device_offline")
            bench.hear()
            expectBetween(bench)
        }
    }

    @Test("Failed visits are repeated, at most three in a row before the bridge waits for a period")
    func tries() {
        withVisits { bench in
            let errors = (0..<5).map { _ in RadioError(.unreachable, "no answer") }
            for error in errors { bench.radio.failConnecting(BridgeSettings.sample, error) }
            var times: [Int] = []
            for second in 0..<1300 {
                let before = visits(bench)
                bench.hear()
                if visits(bench) > before { times.append(second) }
                bench.time.advance(by: .seconds(1))
            }
            #expect(times == [0, 100, 200, 800, 900, 1000])
            expectBetween(bench)
        }
    }

    @Test("A visit whose setup fails counts as a failed visit")
    func failure() {
        withVisits { bench in
            bench.radio.setUpLinks { $0.fail(SampleFamily.status, OperationError(.failed, "no answer")) }
            bench.hear()
            #expect(bench.availability() == "offline")
            #expect(bench.connection()?["reason"] == "the read failed")
            bench.time.advance(by: .seconds(99))
            bench.hear()
            #expect(visits(bench) == 1)
            bench.radio.setUpLinks { $0.set(SampleFamily.status, [41]) }
            bench.time.advance(by: .seconds(2))
            bench.hear()
            #expect(bench.broker.retained("sample/level") == "41")
            expectBetween(bench)
        }
    }

    @Test("A command causes a visit, and is answered after it; an invalid command causes none")
    func command() {
        withVisits { bench in
            bench.hear()
            bench.send("level", "101")
            #expect(bench.lastResult() == "out_of_range" && bench.radio.discoveries == 0)
            bench.send("level", "60")
            #expect(bench.radio.discoveries == 1 && bench.results().count == 1)
            bench.hear()
            #expect(bench.lastResult() == "ok" && visits(bench) == 2)
            expectBetween(bench)
        }
    }

    @Test("A command without a visit within 30 s is answered with device_offline")
    func lateCommand() {
        withVisits { bench in
            bench.hear()
            bench.send("level", "60")
            bench.time.advance(by: .seconds(29))
            #expect(bench.results().isEmpty)
            bench.time.advance(by: .seconds(2))
            #expect(bench.lastResult() == "device_offline")
            #expect(bench.availability() == "online")
        }
    }

    @Test("The requests disconnect and connect end and restart the visits")
    func requests() {
        withVisits { bench in
            bench.hear()
            bench.request("disconnect", "sample")
            #expect(bench.lastResponse("disconnect") == "ok")
            #expect(bench.availability() == "offline")
            bench.hear()
            bench.time.advance(by: .seconds(700))
            bench.hear()
            #expect(visits(bench) == 1)
            bench.request("connect", "sample")
            bench.hear()
            #expect(bench.lastResponse("connect") == "ok" && visits(bench) == 2)
            expectBetween(bench)
            // The request also causes a visit before its time.
            bench.request("connect", "sample")
            bench.hear()
            #expect(visits(bench) == 3)
            expectBetween(bench)
        }
    }

    @Test("Between two visits the device uses no slot of the adapter")
    func slots() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.slots = 1
            let bench = lab.bridge(settings, families: [VisitedFamily()])
            bench.connectBroker()
            bench.hear()
            #expect(bench.availability() == "online")
            #expect(bench.broker.retainedObject("bridge/attic/info")?["slots"] == 1)
        }
    }

    @Test("A device joins by a visit")
    func joining() {
        withLab { lab in
            let bench = lab.bridge(.empty(), families: [VisitedFamily()])
            bench.connectBroker()
            bench.request("permit_join", #"{"seconds":60,"families":["sample"]}"#)
            bench.hear()
            bench.time.advance(by: .milliseconds(500))
            #expect(bench.availability() == "online")
            #expect(bench.events().contains("device_joined"))
        }
    }

    @Test(
        "Of two bridges, one visits the device; the other takes over when it stops or no longer reaches the device"
    )
    func fleet() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"), families: [VisitedFamily()])
            let cellar = lab.bridge(.oneDevice("cellar"), families: [VisitedFamily()])
            attic.connectBroker()
            cellar.connectBroker()
            lab.time.advance(by: .seconds(10))
            func run(_ seconds: Int, attic isAttic: Bool, cellar isCellar: Bool) {
                for _ in 0..<(seconds / 5) {
                    if isAttic { attic.hear(rssi: -50) }
                    if isCellar { cellar.hear(rssi: -80) }
                    lab.time.advance(by: .seconds(5))
                }
            }
            func holder() -> JSON.Value? {
                lab.broker.retainedObject("claim/\(BridgeSettings.sample.digits)")?["bridge"]
            }
            run(1500, attic: true, cellar: true)
            #expect(attic.radio.requests.count == 3 && cellar.radio.requests.isEmpty)
            #expect(holder() == "attic" && attic.availability() == "online")
            run(1800, attic: false, cellar: true)
            #expect(holder() == "cellar" && cellar.availability() == "online")
            cellar.shutDown()
            run(60, attic: true, cellar: false)
            #expect(holder() == "attic" && attic.availability() == "online")
        }
    }
}
