/// Formats and parses hexadecimal digits in the form of Bluetooth's documents and tools.
public enum Hex {
    /// Returns the value of one hexadecimal digit in ASCII; nil for other characters.
    public static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Formats `number` in lower case with leading zeros.
    public static func string(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Formats bytes in lower case, first byte first, without spaces.
    public static func string(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses pairs of digits in upper or lower case, with optional spaces between bytes; nil for any other text.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var half: UInt8?
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                guard half == nil else { return nil }
                continue
            }
            guard let digit = digit(byte) else { return nil }
            if let high = half {
                bytes.append(high << 4 | digit)
                half = nil
            } else {
                half = digit
            }
        }
        return half == nil ? bytes : nil
    }
}
