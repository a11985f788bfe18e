/// A text with fields in it: `motors vibrate {levels:base64}\n`.
package struct TextTemplate: Hashable, Sendable {
    /// How a field becomes text.
    package enum Format: Hashable, Sendable {
        /// Numbers and truth values as in JSON, text as it is.
        case plain
        /// Base64 of a text's bytes, or of a list of bytes.
        case base64
        /// Hexadecimal digits of a text's bytes, or of a list of bytes.
        case hex
        /// A number as C's `printf` writes it.
        case number(Number)
    }

    /// A number as C's `printf` writes it: `%04d`, `%.2f`, `%02X`.
    package struct Number: Hashable, Sendable {
        /// What kind of number.
        package enum Conversion: String, Hashable, Sendable, CaseIterable {
            /// A whole number.
            case decimal = "d"
            /// A number with decimals.
            case fixed = "f"
            /// A whole number in lower-case hexadecimal digits.
            case hex = "x"
            /// A whole number in upper-case hexadecimal digits.
            case upperHex = "X"
        }

        /// Whether zeros fill it.
        package var isZeroPadded: Bool
        /// How wide it is at least.
        package var width: Int
        /// How many decimals it has.
        package var places: Int
        /// What kind of number.
        package var conversion: Conversion

        /// Makes a format.
        package init(_ conversion: Conversion, width: Int = 0, places: Int = 6, isZeroPadded: Bool = false) {
            self.conversion = conversion
            self.width = width
            self.places = places
            self.isZeroPadded = isZeroPadded
        }
    }

    package enum Part: Hashable, Sendable {
        /// These bytes.
        case literal([UInt8])
        /// A field of the command.
        case field(String, Format)
        /// A setting of the device.
        case setting(String, Format)
    }

    /// The parts, in order.
    package var parts: [Part]

    /// Makes a template.
    package init(_ parts: [Part]) { self.parts = parts }
}
