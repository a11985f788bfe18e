public import Bluetooth
import BridgeContract
package import JSON
import Messages

/// The message on `bridge/<bridge>/offer`: the bridge is about to connect to a device, with its signal strength.
public struct Offer: Hashable, Sendable {
    /// The bridge's id.
    public var bridge: String
    /// The device's address.
    public var address: Address
    /// The quality of the link, in dBm, after all deductions.
    public var score: Int
    /// The highest epoch (link number) of the device that the bridge knows.
    public var epoch: Int

    /// Creates an offer.
    public init(bridge: String, address: Address, score: Int, epoch: Int) {
        self.bridge = bridge
        self.address = address
        self.score = score
        self.epoch = epoch
    }
}

extension Offer {
    /// Parses a message; nil if it is invalid.
    package init?(_ payload: [UInt8], bridge: String) {
        guard payload.count <= IncomingMessage.maximumPayload, let object = try? JSON.Value(parsing: payload),
            let address = object["address"]?.string.flatMap({ Address($0) }),
            let score = object["score"]?.integer, (-256...0).contains(score)
        else { return nil }
        self.init(bridge: bridge, address: address, score: score, epoch: object["epoch"]?.integer ?? 0)
    }

    package var message: JSON.Value {
        [
            "address": .string(address.description), "score": .integer(score), "epoch": .integer(epoch),
        ]
    }
}
