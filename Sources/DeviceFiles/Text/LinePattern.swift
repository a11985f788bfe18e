/// A line with places whose text is a value: `T={celsius:number} H={humidity:integer}`.
package struct LinePattern: Hashable, Sendable {
    /// What stands at a place.
    package enum Capture: String, Hashable, Sendable, CaseIterable {
        /// A whole number.
        case integer
        case number
        /// Text without spaces, at least one character.
        case word
        /// Any text.
        case text
        /// Pairs of hexadecimal digits.
        case hex
    }

    package enum Part: Hashable, Sendable {
        /// This text.
        case literal([UInt8])
        /// A value.
        case capture(String, Capture)
    }

    /// The parts, in order.
    package var parts: [Part]
    /// What values may be, by name.
    package var limits: [String: Limits]

    /// What a captured number may be, and what it means.
    package struct Limits: Hashable, Sendable {
        /// The smallest value that fits.
        package var minimum: Decimal?
        /// The largest value that fits.
        package var maximum: Decimal?
        /// A whole number with words for its values; nil for one that stands for itself.
        package var words: NumberField?

        /// Sets limits.
        package init(minimum: Decimal? = nil, maximum: Decimal? = nil, words: NumberField? = nil) {
            self.minimum = minimum
            self.maximum = maximum
            self.words = words
        }
    }

    /// Makes a pattern.
    package init(_ parts: [Part], limits: [String: Limits] = [:]) {
        self.parts = parts
        self.limits = limits
    }
}
