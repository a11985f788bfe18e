public import Bluetooth
import BridgeContract
package import JSON
import Messages

/// What a bridge says on `bridge/<bridge>/offer`: that it is about to connect to a device, and how well it hears it.
public struct Offer: Hashable, Sendable {
    /// The bridge's id.
    public var bridge: String
    /// The device's address.
    public var address: Address
    /// How good the link would be, in dBm, after all deductions.
    public var score: Int
    /// The highest epoch of the device that the bridge knows.
    public var epoch: Int

    /// Makes an offer.
    public init(bridge: String, address: Address, score: Int, epoch: Int) {
        self.bridge = bridge
        self.address = address
        self.score = score
        self.epoch = epoch
    }
}

extension Offer {
    /// Reads a message; nil for what is none.
    package init?(_ payload: [UInt8], bridge: String) {
        guard payload.count <= IncomingMessage.maximumPayload, let object = try? JSON.Value(parsing: payload),
            let address = object["address"]?.string.flatMap({ Address($0) }),
            let score = object["score"]?.integer, (-256...0).contains(score)
        else { return nil }
        self.init(bridge: bridge, address: address, score: score, epoch: object["epoch"]?.integer ?? 0)
    }

    /// The message.
    package var message: JSON.Value {
        [
            "address": .string(address.description), "score": .integer(score), "epoch": .integer(epoch),
        ]
    }
}
