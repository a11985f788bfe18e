public import Bluetooth

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
