import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Subscriptions of bridges to the commands of a device")
struct ListeningTests {
    @Test(
        "Bridges that have, last had or are about to have a device subscribe to its commands, and no others")
    func subscriptions() {
        withLab { lab in
            let (attic, cellar) = (lab.bridge(.oneDevice("attic")), lab.bridge(.oneDevice("cellar")))
            func listeners() -> [String] {
                [attic, cellar].filter { bench in
                    bench.client.filters.contains { $0.filter == "sample/+/set" }
                }.map(\.client.name)
            }
            attic.goOnline()
            // Every bridge subscribes until the owner is known.
            #expect(cellar.client.filters.contains { $0.filter == "sample/+/set" })
            cellar.connectBroker()
            #expect(listeners() == ["attic"])
            #expect(!cellar.client.filters.contains { $0.filter == "sample/set" })
            attic.link()?.lose("out of reach")
            #expect(listeners() == ["attic"])
            cellar.radio.setHolding(true)
            cellar.hear()
            cellar.time.advance(by: .milliseconds(250))
            #expect(listeners() == ["attic", "cellar"])
            #expect(cellar.radio.completeNext())
            #expect(cellar.connection()?["bridge"] == "cellar")
            #expect(listeners() == ["cellar"])
            // After a reconnect, each bridge subscribes to the same filters as before.
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

    @Test(
        "A bridge without access to other bridges uses its devices, and makes no hidden claims",
        arguments: ["bridge/+/info", "claim/+"])
    func hidden(filter: String) {
        withLab { lab in
            let bench = lab.bridge(.oneDevice())
            bench.client.refuseSubscription(filter)
            bench.goOnline()
            lab.time.advance(by: .seconds(3))
            #expect(bench.availability() == "online")
            #expect((lab.broker.retainedObject("claim/aabbcca1b2c3") == nil) == (filter == "claim/+"))
        }
    }

    @Test("A press that a stop ended does not move the robot on another bridge either")
    func endedPress() {
        let address: Address = "AA:BB:CC:00:00:07"
        withLab { lab in
            let benches = ["attic", "cellar"].map { id in
                lab.bridge(
                    BridgeSettings(
                        id: id, join: .permit,
                        devices: [.init(name: "roller", family: "roller", address: address)],
                        families: ["roller": [:]], version: "1.0"),
                    families: [RollerFamily()])
            }
            let (attic, cellar) = (benches[0], benches[1])
            func push() {
                lab.broker.send("roller/roll/set", #"{"duration_ms":500,"hold":7}"#)
                lab.time.advance(by: .milliseconds(100))
            }
            func isMoved(_ bench: TestBridge) -> Bool {
                bench.link(address)?.writes(RollerFamily.motor).contains { $0 != [0] } ?? false
            }
            attic.connectBroker()
            attic.hear(address, name: "roller")
            cellar.connectBroker()
            attic.letStartPass()
            push()
            #expect(isMoved(attic))
            lab.broker.send("roller/stop/set", "")
            for _ in 0..<10 { push() }
            attic.link(address)?.lose("out of reach")
            cellar.hear(address, name: "roller")
            // The sender pauses during this time, like a phone without a network.
            cellar.letStartPass()
            #expect(cellar.connection("roller")?["bridge"] == "cellar")
            #expect(cellar.connection("roller")?["state"] == "connected")
            for _ in 0..<5 { push() }
            #expect(!isMoved(cellar))
            cellar.letStartPass()
            lab.broker.send("roller/roll/set", #"{"duration_ms":500,"hold":8}"#)
            #expect(isMoved(cellar))
        }
    }
}
