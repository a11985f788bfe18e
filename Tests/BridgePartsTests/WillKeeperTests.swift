import Bluetooth
import BridgeTesting
import DeviceKit
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Orders to the guardian about a device")
struct WillKeeperTests {
    private static let motor = SampleFamily.motor
    private static let place = LinkPlace(device: "/hci0/one", characteristics: [motor: "/hci0/one/motor"])
    private static let moving = Will(writes: [Write(motor, [0])], deadline: .seconds(5))
    private static let resting = Will(writes: [Write(motor, [0])])

    private func kept(_ order: WillKeeper.Order?) -> LinkWill? {
        if case .keep(let will)? = order { will } else { nil }
    }

    @Test("A will is sent when it changes, with the object paths of its link")
    func change() {
        var keeper = WillKeeper(LinkRequirements(required: [], isSafetyCritical: true))
        let first = kept(keeper.update(to: Self.moving, at: Self.place, isOwedWrites: false))
        #expect(first?.writes.map(\.path) == ["/hci0/one/motor"])
        #expect(first?.deadline == .seconds(5) && first?.isSafetyCritical == true)
        #expect(keeper.device == "/hci0/one")
        #expect(keeper.update(to: Self.moving, at: Self.place, isOwedWrites: false) == nil)
        let last = kept(keeper.update(to: .none, at: Self.place, isOwedWrites: false))
        #expect(last == LinkWill(device: "/hci0/one", isSafetyCritical: true, writes: []))
        #expect(keeper.release() == .release(device: "/hci0/one"))
        #expect(keeper.release() == nil)
    }

    @Test("A link without a will is sent once, so that it is closed, unless the system uses it too")
    func linkAlone() {
        var keeper = WillKeeper(LinkRequirements(required: []))
        #expect(kept(keeper.update(to: .none, at: Self.place, isOwedWrites: false))?.writes == [])
        #expect(keeper.update(to: .none, at: Self.place, isOwedWrites: false) == nil)
        #expect(keeper.settle(isUncertain: true, failed: []) == nil, "the bridge closes it itself")
        #expect(keeper.release() == .release(device: "/hci0/one"))
        #expect(kept(keeper.update(to: .none, at: Self.place, isOwedWrites: false)) != nil, "another link")
        var shared = WillKeeper(LinkRequirements(required: [], isInputDevice: true))
        #expect(shared.update(to: .none, at: Self.place, isOwedWrites: false) == nil)
    }

    @Test("A will that ends a motion is sent only when the device has received the writes")
    func owed() {
        var keeper = WillKeeper(LinkRequirements(required: []))
        _ = keeper.update(to: Self.moving, at: Self.place, isOwedWrites: false)
        #expect(keeper.update(to: Self.resting, at: Self.place, isOwedWrites: true) == nil)
        #expect(kept(keeper.update(to: Self.resting, at: Self.place, isOwedWrites: false)) != nil)
        // The will of a new motion is sent immediately.
        #expect(kept(keeper.update(to: Self.moving, at: Self.place, isOwedWrites: true)) != nil)
    }

    @Test(
        "Over a Bluetooth proxy, the guardian gets nothing, and the bridge knows whether the device is safe")
    func proxy() {
        var keeper = WillKeeper(LinkRequirements(required: []))
        let place = LinkPlace(proxy: "proxy/kitchen", address: BridgeSettings.sample)
        #expect(keeper.update(to: Self.moving, at: place, isOwedWrites: false) == nil)
        #expect(keeper.update(to: Self.resting, at: place, isOwedWrites: false) == nil)
        #expect(keeper.settle(isUncertain: true, failed: [Self.motor]) == nil)
        #expect(keeper.isUnsafe(isUncertain: true, failed: []))
        #expect(keeper.isUnsafe(isUncertain: false, failed: [Self.motor]))
        #expect(!keeper.isUnsafe(isUncertain: false, failed: []))
        #expect(keeper.release() == nil)
        // On the host's adapter, the guardian is informed again.
        #expect(kept(keeper.update(to: Self.resting, at: Self.place, isOwedWrites: false)) != nil)
    }

    @Test("A will of a link on the host's adapter is released when the device is connected over a proxy")
    func moved() {
        var keeper = WillKeeper(LinkRequirements(required: []))
        _ = keeper.update(to: Self.moving, at: Self.place, isOwedWrites: false)
        let place = LinkPlace(proxy: "proxy/kitchen", address: BridgeSettings.sample)
        #expect(
            keeper.update(to: .none, at: place, isOwedWrites: false) == .release(device: "/hci0/one"))
    }

    @Test(
        "Before a link is closed, a device that may still move is handed over",
        arguments: [
            (true, [], true), (false, [motor], true), (false, [SampleFamily.control], false),
            (false, [], false),
        ] as [(Bool, Set<CharacteristicID>, Bool)])
    func settle(isUncertain: Bool, failed: Set<CharacteristicID>, isHandedOver: Bool) {
        var keeper = WillKeeper(LinkRequirements(required: []))
        _ = keeper.update(to: Self.resting, at: Self.place, isOwedWrites: false)
        let order = keeper.settle(isUncertain: isUncertain, failed: failed)
        #expect(order == (isHandedOver ? .carryOut(device: "/hci0/one") : nil))
        // The guardian executes the will now: the bridge neither changes nor releases it, and hands it over once.
        if isHandedOver {
            #expect(keeper.update(to: Self.moving, at: Self.place, isOwedWrites: false) == nil)
            #expect(keeper.settle(isUncertain: true, failed: []) == nil)
        }
        #expect(keeper.release() == (isHandedOver ? nil : .release(device: "/hci0/one")))
        #expect(keeper.device == "/hci0/one")
    }
}
