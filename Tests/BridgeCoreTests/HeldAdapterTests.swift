import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("An adapter that another program uses")
struct HeldAdapterTests {
    private static let holder = "bridge cellar (process 12, user u, :1.7)"

    @Test("The bridge waits for the adapter, reports its holder, and does not search")
    func waits() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice(), adapter: nil)
            bench.connectBroker()
            bench.radio.tell(.adapterHeld("hci0", by: Self.holder))
            let connection = bench.connection()
            #expect(connection?["state"] == "disconnected")
            #expect(
                connection?["reason"]?.string
                    == "\(Self.holder) uses the adapter hci0: this bridge waits until it is free")
            #expect(connection?["advice"]?.string?.contains("the bridge takes over automatically") == true)
            let adapters = bench.broker.retainedObject("bridge/attic/info")?["adapters"]?.array
            #expect(adapters?.first?["held_by"]?.string == Self.holder)
            #expect(bench.radio.discoveries == 0)
            bench.hear()
            #expect(bench.radio.requests == [])

            bench.radio.tell(.adapterReady("hci0"))
            #expect(bench.radio.discoveries == 1)
            bench.hear()
            #expect(bench.availability() == "online")
            let now = bench.broker.retainedObject("bridge/attic/info")?["adapters"]?.array
            #expect(now?.first?["held_by"] == .null)
            #expect(bench.events() == [])
        }
    }

    @Test(
        "A device on an adapter that is taken away is disconnected cleanly, and reconnected when it is free")
    func yields() {
        withBridge { bench in
            bench.goOnline()
            bench.send("level", "60")
            bench.radio.tell(.adapterHeld("hci0", by: Self.holder))
            #expect(bench.link()?.disconnects == 1, "by the bridge, after the state machine's last words")
            #expect(bench.availability() == "offline")
            #expect(bench.connection()?["reason"]?.string?.hasPrefix(Self.holder) == true)
            bench.hear()
            #expect(bench.radio.links(BridgeSettings.sample).count == 1)
            bench.radio.tell(.adapterHeld("hci0", by: "the guardian of \(Self.holder)"))
            #expect(bench.connection()?["reason"]?.string?.hasPrefix("the guardian") == true)
            bench.radio.tell(.adapterReady("hci0"))
            bench.hear()
            #expect(bench.availability() == "online")
            #expect(bench.events() == ["adapter_lost", "adapter_back"])
        }
    }

    @Test("The bridge uses another adapter if there is one, and an unplugged adapter has no holder")
    func others() {
        withBridge { bench in
            bench.radio.tell(.adapterReady("hci1"))
            bench.radio.tell(.adapterHeld("hci0", by: Self.holder))
            bench.goOnline()
            #expect(bench.availability() == "online")
            bench.radio.tell(.adapterLost("hci0"))
            bench.radio.tell(.adapterLost("hci1"))
            bench.link()?.lose()
            #expect(bench.connection()?["reason"] == "no Bluetooth adapter is ready")
        }
    }
}
