import Bluetooth
import BridgeContract
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("A connected device that another host receives better")
struct MovingTests {
    /// Two bridges; the device is connected to `attic`, and cellar's connection attempts wait.
    private func withBridges(
        _ settings: (inout BridgeSettings) -> Void = { _ in },
        _ body: (_ lab: Lab, _ attic: TestBridge, _ cellar: TestBridge) throws -> Void
    ) rethrows {
        try withLab { lab in
            let benches = ["attic", "cellar"].map { id in
                var its = BridgeSettings.oneDevice(id)
                settings(&its)
                let bench = lab.bridge(its)
                bench.radio.setUpLinks { $0.set(SampleFamily.status, [42]) }
                return bench
            }
            for bench in benches { bench.connectBroker() }
            benches[0].hear()
            lab.time.advance(by: .seconds(2))
            benches[1].radio.setHolding(true)
            lab.broker.clearLog()
            try body(lab, benches[0], benches[1])
        }
    }

    /// Lets the device advertise once a second, and ends cellar's attempts, which the connected device does not answer.
    private func advertise(
        _ seconds: Int, _ lab: Lab, attic: (TestBridge, rssi: Int)? = nil, cellar: (TestBridge, rssi: Int)?
    ) {
        for second in 0..<seconds {
            attic.map { $0.0.hear(rssi: $0.rssi + second % 2) }
            cellar.map { $0.0.hear(rssi: $0.rssi + second % 2) }
            cellar.map { _ = $0.0.radio.completeNext(RadioError(.unreachable, "no answer")) }
            lab.time.advance(by: .seconds(1))
        }
    }

    private func holder(_ lab: Lab) -> JSON.Value? {
        lab.broker.retainedObject("claim/\(BridgeSettings.sample.digits)")?["bridge"]
    }

    private func offers(_ lab: Lab) -> Int { lab.broker.texts("bridge/cellar/offer").count }

    /// Lets cellar learn that the device advertises although it is connected.
    private func learn(_ lab: Lab, _ attic: TestBridge, _ cellar: TestBridge) {
        advertise(3, lab, attic: (attic, -60), cellar: (cellar, -64))
        lab.time.advance(by: .seconds(10))
        lab.broker.clearLog()
    }

    @Test(
        "Another bridge that receives it tries to connect until it learns that the device advertises anyway")
    func learns() {
        withBridges { lab, attic, cellar in
            cellar.hear(rssi: -50)
            lab.time.advance(by: .milliseconds(20))
            #expect(cellar.radio.requests == [.connect(BridgeSettings.sample)])
            // A read proved the link of attic, so the attempt is hopeless.
            #expect(cellar.radio.givenUp == [BridgeSettings.sample])
            cellar.radio.completeNext(RadioError(.unreachable, "no answer"))
            advertise(60, lab, attic: (attic, -56), cellar: (cellar, -52))
            #expect(cellar.radio.requests.count == 1)
            #expect(holder(lab) == "attic")
            #expect(attic.link()?.disconnects == 0)
        }
    }

    @Test("It moves to a host that receives it 10 dB better for 30 s, and is not reported as offline")
    func moves() {
        withBridges { lab, attic, cellar in
            learn(lab, attic, cellar)
            advertise(28, lab, attic: (attic, -66), cellar: (cellar, -50))
            #expect(attic.link()?.disconnects == 0)
            #expect((1...4).contains(offers(lab)))
            cellar.radio.setHolding(false)
            advertise(15, lab, attic: (attic, -66), cellar: (cellar, -50))
            #expect(attic.link()?.disconnects == 1)
            #expect(holder(lab) == "cellar")
            #expect(cellar.radio.links(BridgeSettings.sample).count == 1)
            #expect(attic.radio.links(BridgeSettings.sample).count == 1)
            #expect(lab.broker.texts("sample/availability").allSatisfy { $0 == "online" })
            attic.send("level", "60")
            #expect(cellar.control.last == [5, 60])
            let released = lab.broker.objects("claim/\(BridgeSettings.sample.digits)").first {
                $0["state"] == "released"
            }
            #expect(released?["moves"]?.array?.count == 1)
            #expect(
                lab.broker.retainedObject("claim/\(BridgeSettings.sample.digits)")?["moves"]
                    == released?["moves"])
        }
    }

    @Test(
        "It stays on the better host, and on a host that is worse by less than the margin; no offers are made"
    )
    func stays() {
        withBridges { lab, attic, cellar in
            learn(lab, attic, cellar)
            // The published score follows the strength.
            advertise(20, lab, attic: (attic, -50), cellar: (cellar, -60))
            lab.broker.clearLog()
            advertise(120, lab, attic: (attic, -50), cellar: (cellar, -42))
            advertise(120, lab, attic: (attic, -50), cellar: (cellar, -80))
            #expect(attic.link()?.disconnects == 0)
            // After the first offer, the other bridge knows the exact strength.
            #expect(offers(lab) <= 1)
            #expect(lab.broker.texts("claim/\(BridgeSettings.sample.digits)").count <= 1)
        }
    }

    @Test(
        "It stays while it is used",
        arguments: [
            { bench, _ in bench.send("mute", "") },
            { bench, _ in bench.link()?.notify(SampleFamily.status, [3, 1]) },
        ] as [@Sendable (TestBridge, Int) -> Void])
    func used(_ use: @Sendable (TestBridge, Int) -> Void) {
        withBridges { lab, attic, cellar in
            learn(lab, attic, cellar)
            for second in 0..<20 {
                use(attic, second)
                advertise(4, lab, attic: (attic, -66), cellar: (cellar, -50))
            }
            #expect(attic.link()?.disconnects == 0)
            cellar.radio.setHolding(false)
            advertise(60, lab, attic: (attic, -66), cellar: (cellar, -50))
            #expect(holder(lab) == "cellar")
        }
    }

    @Test("It does not move if no moves are allowed")
    func never() {
        withBridges {
            $0.moves.perHour = 0
        } _: { lab, attic, cellar in
            learn(lab, attic, cellar)
            advertise(100, lab, attic: (attic, -66), cellar: (cellar, -50))
            #expect(attic.link()?.disconnects == 0)
        }
    }

    @Test(
        "If the other bridge does not connect, the former one does, and the device is not reported as offline"
    )
    func failed() {
        withBridges { lab, attic, cellar in
            learn(lab, attic, cellar)
            while attic.link()?.disconnects == 0 {
                advertise(1, lab, attic: (attic, -66), cellar: (cellar, -50))
            }
            // Cellar's attempt gets no answer.
            for _ in 0..<6 {
                attic.hear(rssi: -66)
                lab.time.advance(by: .seconds(1))
            }
            #expect(attic.radio.links(BridgeSettings.sample).count == 2)
            #expect(holder(lab) == "attic")
            #expect(lab.broker.texts("sample/availability").allSatisfy { $0 == "online" })
        }
    }

    @Test("A device that does not advertise moves to the bridge that the roster prefers, when it is idle")
    func preferred() {
        withBridges { lab, attic, cellar in
            cellar.radio.setHolding(false)
            attic.send("mute", "")
            lab.broker.send(
                "roster/\(BridgeSettings.sample.digits)",
                #"{"v":1,"name":"sample","family":"sample","preferred":["cellar"],"by":"fleet","time":"2026-01-31T12:00:00.000Z"}"#,
                retain: true)
            lab.time.advance(by: .seconds(25))
            #expect(attic.link()?.disconnects == 0)
            // The command that is never answered ends after 30 s.
            while attic.link()?.disconnects == 0 { lab.time.advance(by: .seconds(1)) }
            #expect(holder(lab) == "attic")
            advertise(2, lab, attic: (attic, -40), cellar: (cellar, -80))
            #expect(holder(lab) == "cellar")
            #expect(lab.broker.texts("sample/availability").allSatisfy { $0 == "online" })
            lab.time.advance(by: .seconds(600))
            #expect(cellar.link()?.disconnects == 0)
        }
    }

    @Test("A device that returns from the preferred bridge stays for an hour")
    func preferredOutOfRange() {
        withBridges { lab, attic, _ in
            lab.broker.send(
                "roster/\(BridgeSettings.sample.digits)",
                #"{"v":1,"name":"sample","family":"sample","preferred":["cellar"],"by":"fleet","time":"2026-01-31T12:00:00.000Z"}"#,
                retain: true)
            for _ in 0..<8 {
                lab.time.advance(by: .seconds(1))
                if attic.connection()?["state"] != "connected" { attic.hear() }
            }
            #expect(attic.radio.links(BridgeSettings.sample).count == 2)
            #expect(lab.broker.texts("sample/availability").allSatisfy { $0 == "online" })
            lab.time.advance(by: .seconds(3500))
            #expect(attic.link()?.disconnects == 0)
            lab.time.advance(by: .seconds(200))
            #expect(attic.link()?.disconnects == 1)
        }
    }

    @Test("The connection states when the signal strength was measured")
    func age() {
        withBridges { lab, attic, _ in
            let first = attic.connection()
            #expect(first?["rssi"] == -60)
            attic.link()?.tell(.rssi(-80))
            lab.time.advance(by: .seconds(20))
            attic.link()?.tell(.rssi(-80))
            let second = attic.connection()
            #expect(second?["rssi"] == -80)
            #expect(second?["rssi_time"] != first?["rssi_time"])
        }
    }

    @Test("A device that joins waits for its best host longer than one that was connected before")
    func joins() {
        withLab { lab in
            let benches = ["attic", "cellar"].map { lab.bridge(.empty($0, join: .always)) }
            for bench in benches { bench.connectBroker() }
            benches[0].hear(rssi: -79)
            lab.time.advance(by: .milliseconds(1000))
            benches[1].hear(rssi: -50)
            lab.time.advance(by: .milliseconds(100))
            #expect(holder(lab) == "cellar")
            #expect(benches[0].radio.requests.isEmpty)
        }
    }
}
