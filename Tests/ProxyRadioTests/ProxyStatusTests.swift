import Bluetooth
import ESPHome
import ProxyClient
import Testing

@testable import ProxyRadio

@Suite("State of a proxy")
struct ProxyStatusTests {
    private static func identified(features: UInt32 = 0xFF) -> ProxyStatus {
        var status = ProxyStatus()
        status.handle(
            .identified(DeviceInfo(name: "kitchen", mac: "C0:FF:EE:00:00:01", features: features)))
        status.handle(.slots(Slots(free: 2, limit: 3)))
        return status
    }

    private static func problem(_ status: ProxyStatus) -> String? {
        status.problem(at: "kitchen.local:6053", mac: "C0:FF:EE:00:00:01", cause: "No route to host")
    }

    @Test("A proxy is ready as the subscriber, unless its scanner has failed")
    func ready() {
        var status = Self.identified()
        #expect((status.state, status.freeSlots) == (.away, nil))
        #expect(Self.problem(status) == "the proxy has not answered yet")
        status.handle(.subscription(.active))
        #expect((status.state, status.freeSlots, Self.problem(status)) == (.ready, 2, nil))
        // The scanner pauses while a connection is opened.
        for state in [4, 0, 1, 2] as [UInt32] {
            status.handle(.scanner(ScannerState(state: state, mode: 1)))
            #expect(status.state == .ready)
        }
        status.handle(.scanner(ScannerState(state: 3, mode: 1)))
        #expect((status.state, status.freeSlots, status.isSubscriber) == (.away, nil, true))
        #expect(Self.problem(status)?.contains("restart the proxy") == true)
    }

    @Test("A refusal counts until the next report of the slots")
    func full() {
        var status = Self.identified()
        status.handle(.subscription(.active))
        status.isFull()
        #expect(status.freeSlots == 0)
        status.handle(.slots(Slots(free: 1, limit: 3)))
        #expect(status.freeSlots == 1)
    }

    @Test("A proxy that only forwards advertisements has no slot")
    func listener() {
        var status = Self.identified(features: 0x61)
        status.handle(.subscription(.active))
        #expect((status.state, status.freeSlots, status.canConnect) == (.ready, 0, false))
    }

    @Test("A shared proxy waits, names the bridge that uses it, and is ready as soon as this bridge uses it")
    func shared() {
        var status = Self.identified()
        status.leave(to: "attic")
        #expect(status.holder == nil)
        for state in [.withheld, .displaced] as [ProxySession.SubscriptionState] {
            status.handle(.subscription(state))
            #expect(status.state == (state == .withheld ? .away : .held))
            #expect(status.sharing == (state == .withheld ? .waiting : .displaced))
            #expect(Self.problem(status)?.contains("bridge attic") == false)
            status.leave(to: "attic")
            #expect((status.state, status.sharing, status.freeSlots) == (.held, .waiting, nil))
            #expect(Self.problem(status)?.hasPrefix("the bridge attic uses the proxy: ") == true)
        }
        status.handle(.subscription(.active))
        #expect((status.state, status.sharing, Self.problem(status)) == (.ready, .used, nil))
        status.leave(to: "attic")
        #expect((status.state, status.holder) == (.ready, nil))
        status.handle(.subscription(.refused))
        #expect(status.sharing == nil)
        status.ended(.lost)
        #expect(status.sharing == nil)
    }

    @Test(
        "Another subscriber holds the proxy",
        arguments: [.refused, .displaced] as [ProxySession.SubscriptionState])
    func held(_ subscription: ProxySession.SubscriptionState) {
        var status = Self.identified()
        status.handle(.subscription(subscription))
        #expect((status.state, status.freeSlots) == (.held, nil))
        #expect(Self.problem(status)?.contains("another client, such as Home Assistant") == true)
    }

    @Test(
        "The reason for the end of a session contains what to do",
        arguments: [
            (.unreachable, "(No route to host): check that the proxy has power"),
            (.noPlace, "close other clients"), (.silent, "check its Wi-Fi signal"),
            (.transport(TransportError(.wrongKey, "MAC")), "the key is wrong: copy it"),
            (.transport(TransportError(.encryptionRequired, "")), "requires a key: copy it"),
            (.transport(TransportError(.noEncryption, "")), "set plain: true"),
            (.version(3), "update the bridge"), (.features(.rawAdvertisements), "update its firmware"),
            (.otherNode("C0:FF:EE:00:00:09"), "C0:FF:EE:00:00:09 instead of C0:FF:EE:00:00:01: correct"),
            (.wrongPassword, "replace it with an encryption key"),
        ] as [(ProxySession.Failure, String)])
    func ended(_ failure: ProxySession.Failure, _ words: String) {
        var status = Self.identified()
        status.handle(.subscription(.active))
        status.ended(failure)
        #expect((status.state, status.info, status.slots) == (.away, nil, nil))
        #expect(Self.problem(status)?.contains(words) == true)
    }
}
