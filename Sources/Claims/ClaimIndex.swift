package import Bluetooth

/// The newest claim on each device, of any bridge on the broker. The claims are kept for devices that this bridge may
/// discover later.
package struct ClaimIndex: Sendable {
    /// The newest claim on a device, and when it arrived.
    package struct Entry: Hashable, Sendable {
        package var message: ClaimMessage
        package var arrival: Duration
    }

    /// The maximum number of devices, more than any broker has.
    private static let capacity = 16_384

    /// Whether the broker's access list denies this bridge the topics of claims. The bridge then publishes no claims,
    /// since the broker could close the connection because of a claim.
    package var isRefused = false
    private var entries: [Address: Entry] = [:]
    /// For each name, the devices whose claims contain the name.
    private var addresses: [String: [Address]] = [:]

    package init() {}

    package subscript(address: Address) -> Entry? { entries[address] }

    /// The newest claim on each device, in no particular order.
    package var claims: some Sequence<(address: Address, claim: Claim)> {
        entries.lazy.map { (address: $0.key, claim: $0.value.message.claim) }
    }

    /// The claims of bridges other than `own` that give the name to devices other than `address`.
    package func claims(
        onName name: String, of address: Address, unlessOf own: String
    ) -> [NameRival] {
        (addresses[name] ?? []).compactMap { bearer in
            guard bearer != address, let claim = entries[bearer]?.message.claim, claim.bridge != own else {
                return nil
            }
            return NameRival(address: bearer, claim: claim)
        }
    }

    /// Records a claim.
    ///
    /// - Returns: The former name of the device, if the claim contains another name; otherwise nil.
    package mutating func heard(_ message: ClaimMessage, on address: Address, at now: Duration) -> String? {
        let former = entries[address]?.message.claim.name
        guard entries[address] != nil || entries.count < Self.capacity else { return nil }
        entries[address] = Entry(message: message, arrival: now)
        guard former != message.claim.name else { return nil }
        forget(former, of: address)
        if let name = message.claim.name { addresses[name, default: []].append(address) }
        return former
    }

    /// Removes a device's claim, because it was cleared on the broker.
    ///
    /// - Returns: The name that the claim contained; nil for none.
    package mutating func remove(_ address: Address) -> String? {
        let former = entries.removeValue(forKey: address)?.message.claim.name
        forget(former, of: address)
        return former
    }

    private mutating func forget(_ name: String?, of address: Address) {
        guard let name else { return }
        addresses[name]?.removeAll { $0 == address }
        if addresses[name]?.isEmpty ?? false { addresses[name] = nil }
    }

    /// Discards all claims, because the broker connection is new.
    package mutating func removeAll() { self = ClaimIndex() }
}
