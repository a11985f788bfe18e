import BridgeContract
import BridgeCore
import BridgeTesting
import HostTesting
import JSON
import Logging
import Messages
import Testing

@Suite("Two processes with the same bridge id")
struct TwinTests {
    /// Starts a bridge on its own host that holds back messages.
    private func bridge(_ lab: Lab, _ host: String, store: MemoryStore = MemoryStore()) -> TestBridge {
        var settings = BridgeSettings.oneDevice()
        settings.host = host
        let bench = lab.bridge(settings, store: store)
        bench.client.obeyHolding()
        return bench
    }

    @Test("Nothing is published until another process would have answered, and then everything is")
    func held() {
        withLab { lab in
            lab.broker.send("bridge/attic/availability", "offline", retain: true)
            let bench = lab.bridge(.oneDevice())
            bench.client.obeyHolding()
            bench.client.holdBack(true)
            bench.client.connect()
            #expect(lab.broker.log.isEmpty && bench.client.isHeldBack)
            lab.time.advance(by: .milliseconds(300))
            #expect(!bench.client.isHeldBack)
            #expect(lab.broker.retained("bridge/attic/availability") == "online")
        }
    }

    @Test("Without a returned echo, the bridge publishes after two seconds")
    func noEcho() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice())
            bench.client.obeyHolding()
            bench.client.holdBack(true)
            bench.client.setProbeFate(.dropped)
            bench.client.connect()
            lab.time.advance(by: .milliseconds(1900))
            #expect(lab.broker.log.isEmpty)
            lab.time.advance(by: .milliseconds(200))
            #expect(lab.broker.retained("bridge/attic/availability") == "online")
        }
    }

    @Test("The later process disconnects its device, publishes nothing and stops, and the first continues")
    func later() {
        withLab { lab in
            let first = bridge(lab, "one")
            first.goOnline()
            lab.time.advance(by: .seconds(5))
            #expect(first.availability() == "online")
            let before = lab.broker.log.count { $0.client == "attic" }
            let store = MemoryStore()
            let second = bridge(lab, "two", store: store)
            second.client.holdBack(true)
            second.hear()
            second.connectBroker()
            lab.time.advance(by: .seconds(1))
            #expect(second.isOver && !first.isOver)
            #expect(second.link().map { $0.disconnects > 0 } ?? false)
            #expect(lab.broker.log.count { $0.client == "attic" } == before, "\(lab.broker.log.suffix(5))")
            #expect(second.log.count(.error, "another bridge has the same id") == 1)
            #expect(store.state.retainedTopics.isEmpty)
            #expect(first.availability() == "online")
            #expect(lab.broker.retainedObject("bridge/attic/info")?["host"] == "one")
        }
    }

    @Test("A restarted bridge finds only its own retained messages, and continues")
    func restarted() {
        withLab { lab in
            let first = bridge(lab, "one")
            first.goOnline()
            first.cancel()
            first.client.lose()
            let second = bridge(lab, "one")
            second.goOnline()
            lab.time.advance(by: .seconds(5))
            #expect(!second.isOver && second.availability() == "online")
        }
    }

    @Test("Many forged answers within three seconds do not stop a bridge that publishes")
    func forged() {
        withLab { lab in
            let bench = bridge(lab, "one")
            bench.goOnline()
            lab.time.advance(by: .seconds(5))
            for _ in 0..<30 {
                let echoes = bench.client.probes.map { String(decoding: $0.payload, as: UTF8.self) }
                let echo = echoes.last { !$0.hasPrefix("{") } ?? ""
                lab.broker.send(
                    "bridge/attic/echo",
                    #"{"instance":"0","to":"\#(echo)","host":"x","started":"2000-01-01T00:00:00.000Z","established":true}"#
                )
                lab.time.advance(by: .milliseconds(90))
            }
            lab.time.advance(by: .seconds(60))
            #expect(!bench.isOver && bench.availability() == "online")
        }
    }

    @Test("Of two processes that already publish and detect each other late, one continues")
    func apart() {
        withLab { lab in
            let benches = [bridge(lab, "one"), bridge(lab, "two")]
            for bench in benches {
                bench.client.setProbeFate(.dropped)
                bench.client.connect()
                lab.time.advance(by: .seconds(3))
            }
            #expect(benches.allSatisfy { !$0.client.isHeldBack && !$0.isOver })
            for bench in benches {
                bench.client.setProbeFate(.delivered)
                bench.client.lose()
                bench.client.connect()
            }
            lab.time.advance(by: .seconds(10))
            #expect(benches.count { $0.isOver } == 1)
            for bench in benches where bench.isOver {
                #expect(bench.log.count(.error, "another bridge has the same id") == 1)
            }
        }
    }

    @Test("Of two processes that started without a broker, one continues after both connect")
    func together() {
        withLab { lab in
            let benches = [bridge(lab, "one"), bridge(lab, "two")]
            for bench in benches { bench.client.holdBack(true) }
            lab.time.advance(by: .seconds(30))
            for bench in benches { bench.client.connect() }
            lab.time.advance(by: .seconds(3))
            #expect(benches.count { $0.isOver } == 1)
            #expect(lab.broker.retained("bridge/attic/availability") == "online")
        }
    }
}
