import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import JSON
import Messages

// Messages of simulated bridges.
extension FakeBroker {
    /// Publishes a claim of another bridge on a device.
    ///
    /// - Parameter isStored: Whether the claim is retained.
    func claim(
        _ address: Address = BridgeSettings.sample, by bridge: String = "ghost", epoch: Int = 50,
        state: String = "linked", name: String = "sample", configured: Bool = false,
        since: String = "2000-01-01T00:00:00.000Z", isStored: Bool = false
    ) {
        let message: JSON.Value = [
            "v": 1, "bridge": .string(bridge), "epoch": .integer(epoch), "state": .string(state),
            "since": .string(since), "adapter": "hci0", "name": .string(name), "family": "sample",
            "configured": .bool(configured),
        ]
        send(
            "claim/\(Hex.string(address.number, digits: 12))", String(decoding: message.bytes, as: UTF8.self),
            retain: isStored)
    }
}
