import Bluetooth

/// What a text must look like, where not every text will do.
public enum TextForm: Hashable, Sendable, CaseIterable {
    /// Printable characters of ASCII.
    case ascii
    /// Anything but control characters.
    case printable
    /// A Bluetooth address.
    case address
    /// The name of a device: levels with a slash between them.
    case name

    /// What is allowed, as an error message and the reference say it.
    public var allowed: String {
        switch self {
        case .ascii: "printable ASCII"
        case .printable: "text without control characters"
        case .address: "an address such as AA:BB:CC:DD:EE:FF"
        case .name: "a name of A-Z a-z 0-9 _ - with / between levels"
        }
    }

    /// The regular expression that the whole text matches, in the words that ECMA-262 and others share.
    public var pattern: String {
        switch self {
        case .ascii: "^[ -~]*$"
        case .printable: #"^[^\x00-\x1F\x7F]*$"#
        case .address: "^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}$"
        case .name: "^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$"
        }
    }

    /// Whether a text looks so.
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

    /// Whether a byte may stand in a level of a name.
    public static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
