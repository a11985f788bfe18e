import Bluetooth
import JSON

/// What another bridge says of its link to a device, as the device's `connection` topic has it.
struct Claim: Hashable, Sendable {
    /// The other bridge's id.
    var bridge: String
    /// The address of its device.
    var address: Address
    /// Whether it holds the link.
    var isConnected: Bool
    /// Whether the device stands in its configuration, so that it keeps its name.
    var isConfigured = false
    /// Since when the link is there, by the other bridge's clock, as it writes times; nil where it does not say.
    var since: String?
    /// The adapter that holds the link, by the other host's name for it.
    var adapter: String?
    /// Whether the broker had it in store, so that it says nothing of who lives.
    var isStored = false
}

extension Claim {
    /// Reads a claim; nil for what is none, and for one of this bridge.
    init?(_ payload: [UInt8], isStored: Bool, unlessOf own: String) {
        guard payload.count <= CommandGate.maximumPayload, let object = try? JSON.Value(parsing: payload),
            let bridge = object["bridge"]?.string, bridge != own,
            let address = object["address"]?.string.flatMap({ Address($0) })
        else { return nil }
        self.init(
            bridge: bridge, address: address, isConnected: object["state"]?.string == "connected",
            isConfigured: object["configured"]?.bool ?? false, since: object["since"]?.string,
            adapter: object["bluetooth_adapter"]?.string, isStored: isStored)
    }

    /// Whether the other link is older than one of this bridge; one that does not say since when it is there is not.
    ///
    /// Both sides compare the same two texts, so that they come to the same end whatever their clocks say; of two alike
    /// that of the lower bridge id counts as the older.
    func isOlder(thanLinkOf bridge: String, since: String) -> Bool {
        guard let theirs = self.since else { return false }
        return (theirs, self.bridge) < (since, bridge)
    }
}
