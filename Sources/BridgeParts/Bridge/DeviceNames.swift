package import Bluetooth
package import DeviceKit

/// The names of devices. A device keeps its name, and no two devices have the same name.
package struct DeviceNames: Sendable {
    private var names: [Address: String] = [:]
    private var addresses: [String: Address] = [:]
    private var taken: Set<String> = []
    private let roots: Set<String>
    /// The names of devices on the roster, with their addresses.
    package var elsewhere: [String: Address] = [:]

    /// - Parameter roots: Names that no device may have. Names that start with a root and a slash are reserved too.
    package init(reserved roots: Set<String>) { self.roots = roots }

    package subscript(address: Address) -> String? { names[address] }

    package func address(of name: String) -> Address? { addresses[name] }

    package var all: [String] { names.values.sorted() }

    /// Assigns a chosen name to a device.
    ///
    /// - Returns: Whether the name was free.
    package mutating func assign(_ name: String, to address: Address) -> Bool {
        guard isFree(name, for: address) else { return false }
        give(name, to: address)
        return true
    }

    /// Assigns a former name to a device again.
    ///
    /// - Returns: Whether the name was free, and no device has this name with a feature of the family appended.
    package mutating func assign(_ name: String, to address: Address, of family: any DeviceFamily) -> Bool {
        !collides(name, family) && assign(name, to: address)
    }

    /// Assigns a name by the family's naming rule, or returns the existing name.
    package mutating func assign(_ family: any DeviceFamily, _ address: Address) -> String {
        if let name = names[address] { return name }
        if family.naming == .single, assign(family.name, to: address, of: family) { return family.name }
        return assignNumbered(family, address)
    }

    /// Assigns the name `<family>/<id>`, or returns the existing name.
    package mutating func assignNumbered(_ family: any DeviceFamily, _ address: Address) -> String {
        if let name = names[address] { return name }
        let short = "\(family.name)/\(address.suffix)"
        let long = "\(family.name)/\(Hex.string(address.number, digits: 12))"
        let name = isFree(short, for: address) && !collides(short, family) ? short : long
        give(name, to: address)
        return name
    }

    /// Renames a device. The new name may be one that was reserved for a device of another bridge.
    ///
    /// - Returns: Whether the name was free.
    package mutating func rename(_ address: Address, to name: String) -> Bool {
        let isTaken = taken.remove(name) != nil
        guard assign(name, to: address) else {
            if isTaken { taken.insert(name) }
            return false
        }
        return true
    }

    package mutating func release(_ address: Address) {
        if let name = names.removeValue(forKey: address) { addresses[name] = nil }
    }

    private mutating func give(_ name: String, to address: Address) {
        release(address)
        names[address] = name
        addresses[name] = address
    }

    /// Returns a copy with these reserved roots and without assigned names. Names of other bridges' devices stay
    /// reserved.
    package func cleared(reserved roots: Set<String>) -> DeviceNames {
        var names = DeviceNames(reserved: roots)
        names.taken = taken
        names.elsewhere = elsewhere
        return names
    }

    /// Reserves a name that a device of another bridge has.
    package mutating func reserve(_ name: String) { taken.insert(name) }

    package func isElsewhere(_ name: String) -> Bool { taken.contains(name) }

    /// Whether a device has this name with a feature of the family appended.
    private func collides(_ name: String, _ family: any DeviceFamily) -> Bool {
        family.features.contains { addresses["\(name)/\($0.name)"] != nil }
    }

    private func isFree(_ name: String, for address: Address) -> Bool {
        !taken.contains(name) && !roots.contains { name == $0 || name.hasPrefix($0 + "/") }
            && (addresses[name] ?? address) == address && (elsewhere[name] ?? address) == address
    }
}
