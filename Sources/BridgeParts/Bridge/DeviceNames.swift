package import Bluetooth
package import DeviceKit

/// The names of devices: given once, kept, never two alike.
package struct DeviceNames: Sendable {
    private var names: [Address: String] = [:]
    private var addresses: [String: Address] = [:]
    private var taken: Set<String> = []
    private let roots: Set<String>
    /// The names that devices of the fleet have, each with its device.
    package var elsewhere: [String: Address] = [:]

    /// - Parameter roots: Names that no device may have, nor any name underneath.
    package init(reserved roots: Set<String>) { self.roots = roots }

    /// The name of a device, if it has one.
    package subscript(address: Address) -> String? { names[address] }

    package func address(of name: String) -> Address? { addresses[name] }

    /// All names that are given, in order.
    package var all: [String] { names.values.sorted() }

    /// Gives a device a name that was chosen for it.
    ///
    /// - Returns: Whether the name was free.
    package mutating func assign(_ name: String, to address: Address) -> Bool {
        guard isFree(name, for: address) else { return false }
        give(name, to: address)
        return true
    }

    /// Gives a device a name that it had before.
    ///
    /// - Returns: Whether the name is free, and no device below it ends with the name of one of its features.
    package mutating func assign(_ name: String, to address: Address, of family: any DeviceFamily) -> Bool {
        !collides(name, family) && assign(name, to: address)
    }

    /// Gives a device the name that its family's rule makes, or returns the one it has.
    package mutating func assign(_ family: any DeviceFamily, _ address: Address) -> String {
        if let name = names[address] { return name }
        if family.naming == .single, assign(family.name, to: address, of: family) { return family.name }
        return assignNumbered(family, address)
    }

    /// Gives a device the name `<family>/<id>`, or returns the one it has.
    package mutating func assignNumbered(_ family: any DeviceFamily, _ address: Address) -> String {
        if let name = names[address] { return name }
        let short = "\(family.name)/\(address.suffix)"
        let long = "\(family.name)/\(Hex.string(address.number, digits: 12))"
        let name = isFree(short, for: address) && !collides(short, family) ? short : long
        give(name, to: address)
        return name
    }

    /// Gives a device that has a name another one; a name that a device of another bridge had may be tried again.
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

    /// Takes a device's name back.
    package mutating func release(_ address: Address) {
        if let name = names.removeValue(forKey: address) { addresses[name] = nil }
    }

    private mutating func give(_ name: String, to address: Address) {
        release(address)
        names[address] = name
        addresses[name] = address
    }

    /// The same with other reserved roots and without a name given; what devices of other bridges have stays taken.
    package func cleared(reserved roots: Set<String>) -> DeviceNames {
        var names = DeviceNames(reserved: roots)
        names.taken = taken
        names.elsewhere = elsewhere
        return names
    }

    /// Lets no device have a name any more: one of another bridge has it.
    package mutating func reserve(_ name: String) { taken.insert(name) }

    /// Whether a device of another bridge has a name.
    package func isElsewhere(_ name: String) -> Bool { taken.contains(name) }

    /// Whether a device has a name that is this one with a feature of the family behind it.
    private func collides(_ name: String, _ family: any DeviceFamily) -> Bool {
        family.features.contains { addresses["\(name)/\($0.name)"] != nil }
    }

    private func isFree(_ name: String, for address: Address) -> Bool {
        !taken.contains(name) && !roots.contains { name == $0 || name.hasPrefix($0 + "/") }
            && (addresses[name] ?? address) == address && (elsewhere[name] ?? address) == address
    }
}
