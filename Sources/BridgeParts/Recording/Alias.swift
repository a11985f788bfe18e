package import Bluetooth

/// Replaces a device's address in a recording that may be shared.
package struct Alias: Sendable {
    /// A random static address (Core Specification, Vol 6, Part B, 1.3.2.1) with the device's number.
    package let address: Address
    private let replacements: [(text: String, alias: String)]
    /// The suffix of a name that the bridge derived from the address.
    private let suffix: (text: String, alias: String)

    /// - Parameters:
    ///   - real: The device's address.
    ///   - number: The number of the device in the recording, from 1.
    package init(of real: Address, number: Int) {
        address = Address(number: 0xC000_0000_0000 + UInt64(number))
        replacements = [
            (real.description, address.description),
            (real.description.lowercased(), address.description.lowercased()),
            (Hex.string(real.number, digits: 12), Hex.string(address.number, digits: 12)),
        ]
        suffix = (real.suffix, address.suffix)
    }

    /// Replaces the address in a line, and in the device's name if the bridge derived the name from it.
    package func hiding(in line: String, name: String) -> String {
        var line = line
        for (text, alias) in replacements where line.contains(text) {
            line = line.replacing(text, with: alias)
        }
        if name.hasSuffix("/" + suffix.text) {
            line = line.replacing(name, with: name.dropLast(suffix.text.count) + suffix.alias)
        }
        return line
    }
}
