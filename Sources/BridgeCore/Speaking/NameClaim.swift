import Bluetooth
import Claims
import JSON

/// What another bridge says of a device that bears a name. It decides which device has the name.
///
/// It is part of the claim on the device's address. A bridge that knows no claims says it on `<device>/connection`, and
/// there it says also which bridge has the device.
struct NameClaim: Hashable, Sendable {
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

extension NameClaim {
    /// What a claim on a device says of its name.
    init(_ claim: Claim, on address: Address) {
        self.init(
            bridge: claim.bridge, address: address, isConnected: claim.state == .linked,
            isConfigured: claim.isConfigured, since: claim.since, adapter: claim.adapter,
            isStored: claim.isStored)
    }

    /// Reads what a bridge says on `<device>/connection`; nil for what is no claim, and for one of this bridge.
    init?(connection payload: [UInt8], isStored: Bool, unlessOf own: String) {
        guard payload.count <= CommandGate.maximumPayload, let object = try? JSON.Value(parsing: payload),
            let bridge = object["bridge"]?.string, bridge != own,
            let address = object["address"]?.string.flatMap({ Address($0) })
        else { return nil }
        self.init(
            bridge: bridge, address: address, isConnected: object["state"]?.string == "connected",
            isConfigured: object["configured"]?.bool ?? false, since: object["since"]?.string,
            adapter: object["bluetooth_adapter"]?.string, isStored: isStored)
    }

    /// What it says of the device's holder.
    var holder: Claim {
        Claim(
            bridge: bridge, epoch: 0, state: isConnected ? .linked : .released, since: since,
            adapter: adapter, isStored: isStored)
    }
}
