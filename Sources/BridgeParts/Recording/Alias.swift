package import Bluetooth

/// Stands for a device's address in a recording that other people may read.
package struct Alias: Sendable {
    /// A random static address (Core Specification, Vol 6, Part B, 1.3.2.1) that numbers the device.
    package let address: Address
    private let replacements: [(text: String, alias: String)]
    /// The end of a name that the bridge made of the address.
    private let suffix: (text: String, alias: String)

    /// - Parameters:
    ///   - real: The device's address.
    ///   - number: Which of the recording's devices it is, from 1.
    package init(of real: Address, number: Int) {
        address = Address(number: 0xC000_0000_0000 + UInt64(number))
        replacements = [
            (real.description, address.description),
            (real.description.lowercased(), address.description.lowercased()),
            (Hex.string(real.number, digits: 12), Hex.string(address.number, digits: 12)),
        ]
        suffix = (real.suffix, address.suffix)
    }

    /// Replaces the address in a line, and in the device's name where the bridge made that of the address.
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
