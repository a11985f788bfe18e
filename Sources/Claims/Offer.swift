public import Bluetooth
import BridgeContract
package import JSON
import Messages

/// The message on `bridge/<bridge>/offer`: the bridge is about to connect to a device, with its signal strength.
public struct Offer: Hashable, Sendable {
    /// The id of the bridge that makes the offer.
    public var bridge: String
    /// The address of the device that the bridge is about to connect to.
    public var address: Address
    /// The score of the bridge's host, in dBm: the signal strength, less deductions (``HostChoice/score(_:)``).
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
    /// The scores that are accepted in a message.
    static let scores = -256...0

    /// Parses a message; nil if it is invalid.
    package init?(_ payload: [UInt8], bridge: String) {
        guard payload.count <= IncomingMessage.maximumPayload, let object = try? JSON.Value(parsing: payload),
            let address = object["address"]?.string.flatMap({ Address($0) }),
            let score = object["score"]?.integer, Self.scores.contains(score)
        else { return nil }
        self.init(bridge: bridge, address: address, score: score, epoch: object["epoch"]?.integer ?? 0)
    }

    package var message: JSON.Value {
        [
            "address": .string(address.description), "score": .integer(score), "epoch": .integer(epoch),
        ]
    }
}
