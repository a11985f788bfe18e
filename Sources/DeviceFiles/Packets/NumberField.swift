/// A number of a packet, and what it means.
package struct NumberField: Hashable, Sendable {
    /// A word for a raw value.
    package struct Word: Hashable, Sendable {
        /// The raw value.
        package var raw: Int128
        package var word: String

        /// Names a raw value.
        package init(_ raw: Int128, _ word: String) {
            self.raw = raw
            self.word = word
        }
    }

    /// A raw value that says that there is no value.
    package enum Null: Hashable, Sendable {
        case value(Decimal)
        case bits(UInt64)
    }

    /// Its bytes.
    package var type: NumberType
    /// What a raw value counts; nil for itself.
    package var scaling: Scaling?
    /// The raw value that it must be.
    package var equals: Int128?
    /// Words for raw values; none for a number.
    package var words: [Word]
    /// The word for a raw value that has none.
    package var unknown: String?
    /// Raw values that say that there is no value.
    package var nulls: [Null]
    /// The smallest value that fits.
    package var minimum: Decimal?
    /// The largest value that fits.
    package var maximum: Decimal?

    /// Makes a number.
    package init(
        _ type: NumberType, scaling: Scaling? = nil, equals: Int128? = nil, words: [Word] = [],
        unknown: String? = nil, nulls: [Null] = [], minimum: Decimal? = nil, maximum: Decimal? = nil
    ) {
        self.type = type
        self.scaling = scaling
        self.equals = equals
        self.words = words
        self.unknown = unknown
        self.nulls = nulls
        self.minimum = minimum
        self.maximum = maximum
    }
}

/// How a raw value becomes a value: raw x numerator / denominator + offset, rounded.
package struct Scaling: Hashable, Sendable {
    /// What is multiplied with.
    package var numerator: Decimal
    /// What is divided by.
    package var denominator: Decimal
    /// What is added.
    package var offset: Decimal
    /// To how many decimals the value is rounded, half away from zero; nil for not at all.
    package var places: Int?

    /// Makes a scaling.
    package init(
        _ numerator: Decimal = 1, over denominator: Decimal = 1, offset: Decimal = 0, places: Int? = nil
    ) {
        self.numerator = numerator
        self.denominator = denominator
        self.offset = offset
        self.places = places
    }
}

/// Some bits of a number.
package struct BitField: Hashable, Sendable {
    /// The field's name.
    package var name: String
    /// The lowest bit.
    package var first: Int
    /// The highest bit.
    package var last: Int
    /// What the number of these bits means; nil for one bit that is a truth value.
    package var number: NumberField?
    /// How a person at home meets it.
    package var look: FieldLook

    /// Names some bits.
    package init(
        _ name: String, first: Int, last: Int, number: NumberField? = nil, look: FieldLook = FieldLook()
    ) {
        self.name = name
        self.first = first
        self.last = last
        self.number = number
        self.look = look
    }

    /// The bits where they stand.
    package var mask: UInt64 { (UInt64.max >> (63 - last + first)) << first }
    /// Whether its value is published.
    package var isPublished: Bool { !name.hasPrefix("_") }
}

/// When an item of a packet or a step of a command is there: all of this must hold.
package struct Condition: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
        /// What an earlier item's raw value must be, after a mask.
        case item(Int, mask: UInt64?, Comparison)
        /// What a field of the command must be.
        case field(String, FieldTest)
        /// So many bytes must be left.
        case remaining(Int)
    }

    /// How numbers are compared; what is not given does not matter.
    package struct Comparison: Hashable, Sendable {
        /// What it must be.
        package var equals: Int128?
        /// What it must be at least.
        package var atLeast: Int128?
        /// What it must be at most.
        package var atMost: Int128?

        /// Makes a comparison.
        package init(equals: Int128? = nil, atLeast: Int128? = nil, atMost: Int128? = nil) {
            self.equals = equals
            self.atLeast = atLeast
            self.atMost = atMost
        }

        /// Whether a number is as it must be.
        package func holds(_ number: Int128) -> Bool {
            if let equals, number != equals { return false }
            if let atLeast, number < atLeast { return false }
            if let atMost, number > atMost { return false }
            return true
        }
    }

    package var tests: [Test]

    /// Makes a condition.
    package init(_ tests: [Test]) { self.tests = tests }
}
