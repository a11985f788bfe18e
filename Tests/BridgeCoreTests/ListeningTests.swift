import BridgeCore
import BridgeTesting
import JSON
import Messages
import Testing

@Suite("Which bridge subscribes to the commands of a device")
struct ListeningTests {
    @Test("Commands go to bridges that have the device, had it last or are about to have it, and to no other")
    func subscriptions() {
        withLab { lab in
            let (attic, cellar) = (lab.bridge(.oneDevice("attic")), lab.bridge(.oneDevice("cellar")))
            func listeners() -> [String] {
                [attic, cellar].filter { bench in
                    bench.client.filters.contains { $0.filter == "sample/+/set" }
                }.map(\.client.name)
            }
            attic.goOnline()
            // Until it is known who speaks.
            #expect(cellar.client.filters.contains { $0.filter == "sample/+/set" })
            cellar.connectBroker()
            #expect(listeners() == ["attic"])
            #expect(!cellar.client.filters.contains { $0.filter == "sample/set" })
            #expect(cellar.client.filters.contains { $0.filter == "sample/connection" })
            attic.link()?.lose("out of reach")
            #expect(listeners() == ["attic"])
            cellar.radio.setHolding(true)
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(listeners() == ["attic", "cellar"])
            #expect(cellar.radio.completeNext())
            #expect(cellar.connection()?["bridge"] == "cellar")
            #expect(listeners() == ["cellar"])
            // Behind a broker that was away each asks for what it listened to.
            for client in [attic.client, cellar.client] { client.lose() }
            attic.client.connect()
            #expect(listeners() == ["cellar"])
            cellar.client.connect()
            cellar.time.advance(by: .seconds(1))
            #expect(listeners() == ["cellar"])
            cellar.send("level", "60")
            #expect(cellar.results().count == 1)
            cellar.cancel()
            cellar.broker.send("bridge/cellar/availability", "offline", retain: true)
            attic.time.advance(by: .seconds(3))
            #expect(attic.connection()?["bridge"] == "attic")
            attic.send("level", "60")
            #expect(attic.lastResult() == "device_offline")
        }
    }
}
