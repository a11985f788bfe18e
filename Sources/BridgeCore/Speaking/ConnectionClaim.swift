import Bluetooth
import Claims
import JSON

/// What another bridge says of its link to a device on `<device>/connection`, which bears the device's name.
///
/// It decides which device has the name. Which bridge has the device is said by the ``Claims/Claim`` on its address,
/// unless the other bridge knows none of those.
struct ConnectionClaim: Hashable, Sendable {
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
    /// Whether the bridge claims devices by their addresses too, so that this says nothing of the holder.
    var claimsAddress = false
    /// Whether the broker had it in store, so that it says nothing of who lives.
    var isStored = false
}

extension ConnectionClaim {
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

    /// What it says of the device's holder.
    var holder: Claim {
        Claim(
            bridge: bridge, epoch: 0, state: isConnected ? .linked : .released, since: since,
            adapter: adapter, isStored: isStored)
    }
}
