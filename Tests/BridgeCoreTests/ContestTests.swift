import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Two bridges that both claim a device")
struct ContestTests {
    /// The number of messages of this bridge on the device's `connection`.
    private func sayings(_ bench: TestBridge) -> Int {
        bench.broker.log.count { $0.client == "attic" && $0.message.topic == "sample/connection" }
    }

    @Test("A connection that proves itself by a notification or an acknowledged write is not read from")
    func traffic() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.broker.claim()
            let before = sayings(bench)
            bench.link()?.notify(SampleFamily.status, [7])
            #expect(sayings(bench) == before + 1)
            bench.time.advance(by: .seconds(5))
            #expect(bench.link()?.disconnects == 0)
        }
    }

    @Test("A device that does not answer two reads is disconnected")
    func unproved() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.broker.send("bridge/ghost/availability", "online")
            bench.broker.claim()
            bench.time.advance(by: .milliseconds(1999))
            #expect(bench.link()?.disconnects == 0)
            // The second read waits for the end of the first: one operation per characteristic at a time.
            #expect(bench.link()?.operations.count { $0 == .read(SampleFamily.control) } == 1)
            bench.time.advance(by: .milliseconds(1))
            bench.link()?.setHolding(false)
            bench.time.advance(by: .seconds(2))
            #expect(bench.link()?.disconnects == 1)
            bench.broker.clearLog()
            // While another bridge has the device, its messages are not published and it is not reconnected
            // immediately.
            bench.hear()
            bench.time.advance(by: .seconds(27))
            #expect(bench.radio.links(BridgeSettings.sample).count == 1)
            #expect(bench.broker.log.filter { $0.message.topic.hasPrefix("sample/") } == [])
            bench.broker.send("bridge/ghost/availability", "offline")
            bench.hear()
            #expect(bench.availability() == "online")
        }
    }

    @Test("A device is read again after a failed read")
    func askedAgain() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.fail(SampleFamily.control, OperationError(.failed, "no answer"))
            bench.broker.send("bridge/ghost/availability", "online")
            bench.broker.claim()
            bench.time.advance(by: .seconds(2))
            #expect(bench.link()?.operations.count { $0 == .read(SampleFamily.control) } == 2)
            #expect(bench.link()?.disconnects == 1)
        }
    }

    @Test("A busy device is read after its operation, unless the operation already proves the connection")
    func busy() {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.send("level", "5")
            bench.broker.send("bridge/ghost/availability", "online")
            bench.broker.claim()
            let before = sayings(bench)
            #expect(bench.link()?.operations.contains(.read(SampleFamily.control)) == false)
            bench.link()?.completeNext()
            #expect(sayings(bench) == before + 1)
            bench.link()?.setHolding(false)
            #expect(bench.link()?.operations.contains(.read(SampleFamily.control)) == false)
            bench.time.advance(by: .seconds(5))
            #expect(bench.link()?.disconnects == 0)
        }
    }

    @Test("Of two proved connections, the younger is closed after at most three messages of each bridge")
    func crossing() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            let cellar = lab.bridge(.oneDevice("cellar"))
            cellar.goOnline()
            attic.connectBroker()
            lab.time.advance(by: .seconds(1))
            lab.broker.clearLog()
            attic.hear()
            lab.time.advance(by: .seconds(3))
            #expect(attic.link()?.disconnects == 1)
            #expect(cellar.link()?.disconnects == 0)
            #expect(attic.connection()?["bridge"] == "cellar")
            for id in ["attic", "cellar"] {
                let count = lab.broker.log.count {
                    $0.client == id && $0.message.topic == "sample/connection"
                }
                // The younger bridge also publishes the steps of its connection.
                #expect(count <= (id == "attic" ? 6 : 3), "\(id): \(count)")
            }
            attic.send("level", "60")
            #expect(attic.results().count == 1)
            #expect(cellar.control.last == [5, 60])
        }
    }

    @Test(
        "A bridge that yields a device obeys a stop, and answers only if the stop succeeded",
        arguments: [true, false])
    func stopWhileParting(isAcknowledged: Bool) {
        withBridge { bench in
            bench.goOnline()
            bench.link()?.setHolding(true)
            bench.broker.send("bridge/ghost/availability", "online")
            bench.broker.claim()
            bench.time.advance(by: .milliseconds(2100))
            #expect(bench.link()?.operations.contains(.read(SampleFamily.control)) == true)
            #expect(bench.link()?.disconnects == 0)
            bench.send("halt", "")
            #expect(bench.link()?.writes(SampleFamily.motor).last == [0])
            if isAcknowledged { bench.link()?.setHolding(false) } else { bench.link()?.lose() }
            #expect(bench.results().map { $0["status"]?.string } == (isAcknowledged ? ["ok"] : []))
        }
    }

    @Test("Two bridges on one adapter share a connection, and the younger bridge leaves it to the other")
    func oneAdapter() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            let cellar = lab.bridge(.oneDevice("cellar"))
            for bench in [attic, cellar] {
                bench.radio.setAddress("00:11:22:33:44:55")
                bench.radio.tell(.adapterReady("hci1"))
            }
            cellar.goOnline()
            attic.connectBroker()
            lab.time.advance(by: .seconds(1))
            attic.hear(isConnected: true)
            lab.time.advance(by: .seconds(3))
            #expect(attic.link()?.leaves == 1 && attic.link()?.disconnects == 0)
            #expect(cellar.link()?.leaves == 0 && cellar.link()?.disconnects == 0)
            #expect(attic.connection()?["bridge"] == "cellar")
        }
    }
}
