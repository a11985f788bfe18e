import Bluetooth

/// The form of a text, if not every text is allowed.
public enum TextForm: Hashable, Sendable, CaseIterable {
    /// Printable ASCII characters.
    case ascii
    /// Any characters except control characters.
    case printable
    /// A Bluetooth address.
    case address
    /// A device name: levels separated by slashes.
    case name

    /// The allowed texts, as error messages and the reference show them.
    public var allowed: String {
        switch self {
        case .ascii: "printable ASCII"
        case .printable: "text without control characters"
        case .address: "an address such as AA:BB:CC:DD:EE:FF"
        case .name: "a name of A-Z a-z 0-9 _ - with / between levels"
        }
    }

    /// The regular expression that the whole text matches, in the syntax that ECMA-262 shares with other dialects.
    public var pattern: String {
        switch self {
        case .ascii: "^[ -~]*$"
        case .printable: #"^[^\x00-\x1F\x7F]*$"#
        case .address: "^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}$"
        case .name: "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$"
        }
    }

    /// Whether a text has this form.
    public func fits(_ text: String) -> Bool {
        switch self {
        case .ascii: text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        case .printable: text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        case .address: Address(text) != nil
        case .name:
            text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { level in
                !level.isEmpty && level.utf8.allSatisfy(Self.isNameByte)
            }
        }
    }

    /// Whether a level of a name can contain a byte.
    public static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
