package import Bluetooth
package import DeviceKit

/// The file of one device's emergency stop: one readable line, whose first letter is the ``Latch``.
///
/// `C AA:BB:CC:DD:EE:FF C=clear U=unconfirmed, any other letter=emergency stop` and a line break. The length never
/// changes, so a change overwrites one byte in place and needs no free space on the disk.
package enum LatchFile {
    /// The name of the subfolder in the state's folder.
    package static let folder = "latches"

    /// The name of a device's file.
    package static func name(_ address: Address) -> String { address.description }

    /// Returns the address of the device to which a file belongs; nil for other files.
    package static func address(_ name: String) -> Address? {
        guard let address = Address(name[...]), address.description == name else { return nil }
        return address
    }

    /// Returns the letter that represents a latch.
    static func letter(_ latch: Latch) -> UInt8 {
        switch latch {
        case .clear: UInt8(ascii: "C")
        case .latched: UInt8(ascii: "E")
        case .unconfirmed: UInt8(ascii: "U")
        }
    }

    /// Returns the content of a device's file for a latch.
    package static func bytes(_ latch: Latch, of address: Address) -> [UInt8] {
        [letter(latch)] + rest(of: address)
    }

    /// Parses a file. If the file is not complete or belongs to another device, the result is an emergency stop.
    package static func latch(_ bytes: [UInt8], of address: Address) -> Latch {
        guard isWhole(bytes, of: address) else { return .latched }
        return Latch.allCases.first { letter($0) == bytes[0] } ?? .latched
    }

    /// Whether a file is complete and belongs to the device. Only then is its first byte the letter of a latch.
    package static func isWhole(_ bytes: [UInt8], of address: Address) -> Bool {
        bytes.count > 1 && Array(bytes.dropFirst()) == rest(of: address)
    }

    private static func rest(of address: Address) -> [UInt8] {
        Array(" \(address) C=clear U=unconfirmed, any other letter=emergency stop\n".utf8)
    }
}
