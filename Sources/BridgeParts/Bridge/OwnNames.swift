package import Bluetooth

/// The names that devices advertise, for display. If several devices have the same name, the bridge appends the end of
/// the address.
package struct OwnNames: Sendable {
    private var names: [Address: String] = [:]
    private var addresses: [String: Set<Address>] = [:]

    package init() {}

    /// The displayed name of a device; nil if it has no name of its own.
    package subscript(address: Address) -> String? {
        names[address].map { addresses[$0]?.count == 1 ? $0 : "\($0) \(address.suffix)" }
    }

    /// Sets the name of a device; nil for none.
    ///
    /// - Returns: The other devices whose displayed names change.
    package mutating func set(_ name: String?, of address: Address) -> Set<Address> {
        guard names[address] != name else { return [] }
        var changed: Set<Address> = []
        if let old = names.removeValue(forKey: address), var others = addresses.removeValue(forKey: old) {
            others.remove(address)
            if !others.isEmpty { addresses[old] = others }
            if others.count == 1 { changed.formUnion(others) }
        }
        if let name {
            names[address] = name
            if let others = addresses[name], others.count == 1 { changed.formUnion(others) }
            addresses[name, default: []].insert(address)
        }
        return changed
    }
}
