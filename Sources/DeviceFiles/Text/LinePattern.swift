/// A pattern for a line with placeholders for values: `T={celsius:number} H={humidity:integer}`.
package struct LinePattern: Hashable, Sendable {
    /// The kind of value at a placeholder.
    package enum Capture: String, Hashable, Sendable, CaseIterable {
        case integer
        case number
        /// Text without spaces, at least one character.
        case word
        case text
        /// An even number of hexadecimal digits.
        case hex
    }

    package enum Part: Hashable, Sendable {
        case literal([UInt8])
        case capture(String, Capture)
    }

    package var parts: [Part]
    /// The limits of values, by name.
    package var limits: [String: Limits]

    /// The limits and the meaning of a captured number.
    package struct Limits: Hashable, Sendable {
        package var minimum: Decimal?
        package var maximum: Decimal?
        /// The words that are published in place of a whole number's values; nil for a number without words.
        package var words: NumberField?

        package init(minimum: Decimal? = nil, maximum: Decimal? = nil, words: NumberField? = nil) {
            self.minimum = minimum
            self.maximum = maximum
            self.words = words
        }
    }

    package init(_ parts: [Part], limits: [String: Limits] = [:]) {
        self.parts = parts
        self.limits = limits
    }
}
