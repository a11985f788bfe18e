/// A number in a packet, and its conversion to a published value.
package struct NumberField: Hashable, Sendable {
    package struct Word: Hashable, Sendable {
        package var raw: Int128
        package var word: String

        /// Declares the word that is published in place of a raw value.
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

    /// A number in written packets that counts the packets with this counter on a connection, starting with ``start``.
    package struct Counter: Hashable, Sendable {
        /// The value of the counter in the first packet on a connection.
        package var start: UInt64
        /// The index of this counter among all counters of the device file.
        package var place: Int
    }

    /// The encoding of the raw value.
    package var type: NumberType
    /// The conversion of raw values; nil for unchanged values.
    package var scaling: Scaling?
    /// The raw value that the number must have; nil if any value is allowed.
    package var equals: Int128?
    /// For a number in the answer to a write: the index of the written byte that the number must repeat; nil if the
    /// number repeats no byte.
    package var written: Int?
    /// The counter that the number contains in a written packet.
    package var counter: Counter?
    /// The words that are published in place of raw values; empty if the number itself is published.
    package var words: [Word]
    /// The word for all raw values that are not in `words`.
    package var unknown: String?
    /// The raw values that represent a missing value.
    package var nulls: [Null]
    package var minimum: Decimal?
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

/// The conversion of a raw value: raw × numerator / denominator + offset, rounded.
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
    /// Whether the value is published. Values whose name starts with an underscore are not published.
    package var isPublished: Bool { name.utf8.first != UInt8(ascii: "_") }
}

/// The condition for an item of a packet or a step of a command. All tests must pass.
package struct Condition: Hashable, Sendable {
    package enum Test: Hashable, Sendable {
        /// A test of the raw value of the earlier item with this index, of which only the bits of the mask are
        /// compared.
        case item(Int, mask: UInt64?, Comparison)
        /// A test of a field of the command.
        case field(String, FieldTest)
        /// A test that at least this number of bytes remain in the packet.
        case remaining(Int)
    }

    /// A range for a number: an optional lower and an optional upper bound.
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
