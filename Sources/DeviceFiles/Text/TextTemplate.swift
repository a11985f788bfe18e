/// A text that contains fields: `motors vibrate {levels:base64}\n`.
package struct TextTemplate: Hashable, Sendable {
    /// How a field is written in the text.
    package enum Format: Hashable, Sendable {
        /// Numbers and Booleans are written as in JSON, text unchanged.
        case plain
        /// Base64 of a text's bytes, or of a list of bytes.
        case base64
        /// Hexadecimal digits of a text's bytes, or of a list of bytes.
        case hex
        /// A number in the format of C's `printf`.
        case number(Number)
    }

    /// A format of C's `printf` for numbers: `%04d`, `%.2f`, `%02X`.
    package struct Number: Hashable, Sendable {
        /// How a number is converted to text.
        package enum Conversion: String, Hashable, Sendable, CaseIterable {
            /// A whole number.
            case decimal = "d"
            /// A number with decimals.
            case fixed = "f"
            /// A whole number in lowercase hexadecimal digits.
            case hex = "x"
            /// A whole number in uppercase hexadecimal digits.
            case upperHex = "X"
        }

        /// Whether the text is padded with zeros instead of spaces.
        package var isZeroPadded: Bool
        /// The minimum width of the text in characters.
        package var width: Int
        package var places: Int
        package var conversion: Conversion

        package init(_ conversion: Conversion, width: Int = 0, places: Int = 6, isZeroPadded: Bool = false) {
            self.conversion = conversion
            self.width = width
            self.places = places
            self.isZeroPadded = isZeroPadded
        }
    }

    package enum Part: Hashable, Sendable {
        case literal([UInt8])
        case field(String, Format)
        case setting(String, Format)
    }

    package var parts: [Part]

    package init(_ parts: [Part]) { self.parts = parts }
}
