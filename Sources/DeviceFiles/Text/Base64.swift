import Bluetooth

/// Converts bytes to and from Base64 with padding (RFC 4648, section 4).
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(of bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let group = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let number = (0..<3).reduce(0) { $0 << 8 | Int($1 < group.count ? group[$1] : 0) }
            for place in 0..<4 {
                text.append(
                    place <= group.count ? digits[number >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func bytes(of text: String) -> [UInt8]? {
        let letters = Array(text.utf8)
        guard letters.count.isMultiple(of: 4) else { return nil }
        let padding = letters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2 else { return nil }
        var (bytes, number, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for letter in letters.dropLast(padding) {
            guard let digit = digits.firstIndex(of: letter) else { return nil }
            number = (number << 6 | digit) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: number >> bits))
            }
        }
        return bytes
    }
}

/// Converts bytes to and from hexadecimal digits.
enum Base16 {
    static func text(of bytes: some Sequence<UInt8>) -> String { Hex.string(bytes) }
    static func bytes(of text: String) -> [UInt8]? { Hex.bytes(text) }
}
