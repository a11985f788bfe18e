/// A number in a packet and its meaning.
package struct NumberField: Hashable, Sendable {
    package struct Word: Hashable, Sendable {
        package var raw: Int128
        package var word: String

        /// Creates a word for a raw value.
        package init(_ raw: Int128, _ word: String) {
            self.raw = raw
            self.word = word
        }
    }

    /// A raw value that represents a missing value.
    package enum Null: Hashable, Sendable {
        case value(Decimal)
        case bits(UInt64)
    }

    /// A count of the writes on a connection.
    package struct Counter: Hashable, Sendable {
        /// The first number.
        package var start: UInt64
        /// Identifies the counter in its file.
        package var place: Int
    }

    /// The encoding of the raw value.
    package var type: NumberType
    /// The conversion of raw values; nil for unchanged values.
    package var scaling: Scaling?
    /// The required raw value.
    package var equals: Int128?
    /// The byte of a written value that an answer must repeat.
    package var written: Int?
    /// The count that a written packet contains.
    package var counter: Counter?
    /// Words for raw values; empty for a plain number.
    package var words: [Word]
    /// The word for raw values without their own word.
    package var unknown: String?
    /// The raw values that represent a missing value.
    package var nulls: [Null]
    /// The smallest allowed value.
    package var minimum: Decimal?
    /// The largest allowed value.
    package var maximum: Decimal?

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

/// The conversion of a raw value: raw x numerator / denominator + offset, rounded.
package struct Scaling: Hashable, Sendable {
    package var numerator: Decimal
    package var denominator: Decimal
    package var offset: Decimal
    /// The number of decimals to which the value is rounded, half away from zero; nil for no rounding.
    package var places: Int?

    package init(
        _ numerator: Decimal = 1, over denominator: Decimal = 1, offset: Decimal = 0, places: Int? = nil
    ) {
        self.numerator = numerator
        self.denominator = denominator
        self.offset = offset
        self.places = places
    }
}

/// A field that consists of some bits of a number.
package struct BitField: Hashable, Sendable {
    package var name: String
    /// The index of the lowest bit.
    package var first: Int
    /// The index of the highest bit.
    package var last: Int
    /// The meaning of the bits as a number; nil for one bit that is a Boolean.
    package var number: NumberField?
    /// The presentation in Home Assistant.
    package var look: FieldLook

    package init(
        _ name: String, first: Int, last: Int, number: NumberField? = nil, look: FieldLook = FieldLook()
    ) {
        self.name = name
        self.first = first
        self.last = last
        self.number = number
        self.look = look
    }

    /// The mask of the bits, at their position in the number.
    package var mask: UInt64 { (UInt64.max >> (63 - last + first)) << first }
    /// Whether the value is published. Names with an underscore are not.
    package var isPublished: Bool { !name.hasPrefix("_") }
}

/// The condition for an item of a packet or a step of a command. All tests must pass.
package struct Condition: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
        /// A test of an earlier item's raw value, after a mask.
        case item(Int, mask: UInt64?, Comparison)
        /// A test of a field of the command.
        case field(String, FieldTest)
        /// The minimum number of remaining bytes.
        case remaining(Int)
    }

    /// A comparison of numbers. Absent limits are ignored.
    package struct Comparison: Hashable, Sendable {
        /// The required number.
        package var equals: Int128?
        /// The minimum.
        package var atLeast: Int128?
        /// The maximum.
        package var atMost: Int128?

        package init(equals: Int128? = nil, atLeast: Int128? = nil, atMost: Int128? = nil) {
            self.equals = equals
            self.atLeast = atLeast
            self.atMost = atMost
        }

        /// Whether a number passes the comparison.
        package func holds(_ number: Int128) -> Bool {
            if let equals, number != equals { return false }
            if let atLeast, number < atLeast { return false }
            if let atMost, number > atMost { return false }
            return true
        }
    }

    package var tests: [Test]

    package init(_ tests: [Test]) { self.tests = tests }
}
