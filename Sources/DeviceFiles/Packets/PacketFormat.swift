/// What a packet consists of: items that are read or written in order.
package struct PacketFormat: Hashable, Sendable {
    package let items: [PacketItem]
    /// Whether bytes that are left over make a packet unfit.
    package let isExact: Bool

    /// The most bytes of a packet.
    package static let limit = 512

    /// Makes a packet.
    package init(_ items: [PacketItem], isExact: Bool = false) {
        self.items = items
        self.isExact = isExact
        twins = items.indices.map { index in
            items[..<index].enumerated().reduce(0) { bits, item in
                item.element.name != nil && item.element.name == items[index].name
                    ? bits | 1 << UInt64(item.offset) : bits
            }
        }
        if let first = items.first, first.condition == nil, case .flags(let type, let bits) = first.content {
            signType = type
            signs = bits.prefix { $0.number == nil || $0.number?.equals != nil }.compactMap(Sign.init)
        } else {
            (signType, signs) = (nil, [])
        }
        published = items.map(\.isPublished)
        let all = items.flatMap(\.publishedNames)
        namesDiffer = Set(all).count == all.count
        publishedCount = all.count
        isStraight = items.allSatisfy { item in
            if case .list(let list) = item.content, case .item = list.count { return false }
            return item.condition == nil
        }
    }

    /// Bits that must have a value.
    struct Sign: Hashable, Sendable {
        let mask: UInt64
        let first: Int
        let type: NumberType
        let equals: Int128

        /// Nil for bits that may have any value.
        init?(_ bits: BitField) {
            guard let number = bits.number, let equals = number.equals else { return nil }
            (mask, first, type, self.equals) = (bits.mask, bits.first, number.type, equals)
        }

        func isThere(_ number: UInt64) -> Bool { type.integer((number & mask) >> first) == equals }
    }

    /// The earlier items of each item's name, a bit for each index.
    let twins: [UInt64]
    /// Bits of the first number that must have a value: they tell what other features hear on the characteristic.
    let signs: [Sign]
    /// The first number, where it has such bits.
    let signType: NumberType?
    /// Whether no item depends on another one.
    let isStraight: Bool
    /// Whether the value of each item is published.
    let published: [Bool]
    /// Whether no name is published by two items.
    let namesDiffer: Bool
    /// How many values there are at most.
    let publishedCount: Int

    /// How many bytes the items behind an index have, which are all of a fixed width.
    func tail(behind index: Int) -> Int {
        items[(index + 1)...].reduce(0) { $0 + ($1.condition == nil ? $1.width ?? 0 : 0) }
    }
}

package struct PacketItem: Hashable, Sendable {
    /// What its bytes are.
    package enum Content: Hashable, Sendable {
        case number(NumberField)
        /// A byte that is 0 or not.
        case boolean
        /// Several fields of one number.
        case flags(NumberType, bits: [BitField])
        /// UTF-8, padded with zeros; without a length the rest.
        case text(length: Int?)
        /// Bytes as text; without a length the rest.
        case bytes(BytesForm, length: Int?)
        /// Several elements of one kind.
        case list(ListField)
        /// One number in parts.
        case sum(SumField)
        /// So many bytes that are not read, written as zeros.
        case skip(Int)
        /// Bytes that must be these.
        case literal([UInt8])
        /// Zeros up to this length of the packet.
        case pad(Int)
        /// The time in seconds since 1970.
        case now(NumberType)
        /// A checksum of the bytes before it, or of those from the first to the last index; negative ones
        /// from the end.
        case checksum(Checksum, over: Span?, isBigEndian: Bool)
    }

    /// A range of bytes, both ends included; negative indexes count from the end of the packet.
    package struct Span: Hashable, Sendable {
        /// The first byte.
        package var first: Int
        /// The last byte.
        package var last: Int

        /// Names the ends.
        package init(_ first: Int, _ last: Int) {
            self.first = first
            self.last = last
        }
    }

    /// How bytes are shown as text.
    package enum BytesForm: String, Hashable, Sendable, CaseIterable {
        /// Lower-case hexadecimal digits.
        case hex
        /// Base64 with padding.
        case base64
    }

    /// The field's name; nil for an item without a value.
    package var name: String?
    /// What its bytes are.
    package var content: Content
    /// When it is there; nil for always.
    package var condition: Condition?
    /// How a person at home meets it.
    package var look: FieldLook
    /// The line of the file.
    @SourceLine package var line: Int

    /// Makes an item.
    package init(
        _ name: String?, _ content: Content, if condition: Condition? = nil,
        look: FieldLook = FieldLook(),
        line: Int = 0
    ) {
        self.name = name
        self.content = content
        self.condition = condition
        self.look = look
        self.line = line
    }

    /// How many bytes it has; nil where that differs.
    package var width: Int? {
        switch content {
        case .number(let field): field.type.width
        case .boolean: 1
        case .flags(let type, _), .now(let type): type.width
        case .text(let length), .bytes(_, let length): length
        case .list(let list):
            if case .fixed(let count) = list.count { list.width * count } else { nil }
        case .sum(let sum): sum.width
        case .skip(let count): count
        case .literal(let bytes): bytes.count
        case .pad: nil
        case .checksum(let checksum, _, _): checksum.width
        }
    }

    /// Whether its value is published: a name with an underscore is for the packet only.
    package var isPublished: Bool { name.map { !$0.hasPrefix("_") } ?? false }

    /// The names of all that it publishes: its own, and those of its bits.
    var publishedNames: [String] {
        let own = isPublished ? [name ?? ""] : []
        guard case .flags(_, let bits) = content else { return own }
        return own + bits.filter(\.isPublished).map(\.name)
    }
}

/// Several elements of one kind.
package struct ListField: Hashable, Sendable {
    package enum Element: Hashable, Sendable {
        case number(NumberField)
        /// A byte that is 0 or not.
        case boolean
        /// Items, which make an object.
        case items(PacketFormat)
    }

    /// How many there are.
    package enum Count: Hashable, Sendable {
        /// So many.
        case fixed(Int)
        /// As many as the item of this index says.
        case item(Int)
        /// As many as there are bytes for.
        case rest
    }

    package var element: Element
    /// How many there are.
    package var count: Count

    /// How many bytes one element has.
    package var width: Int {
        switch element {
        case .number(let field): field.type.width
        case .boolean: 1
        case .items(let packet): packet.items.reduce(0) { $0 + ($1.width ?? 0) }
        }
    }

    /// Makes a list.
    package init(of element: Element, count: Count = .rest) {
        self.element = element
        self.count = count
    }
}

/// One number in parts, which are added; later parts take the sign of the first.
package struct SumField: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        /// Its bytes.
        package var type: NumberType
        /// What one of it counts.
        package var scale: Decimal

        /// Makes a part.
        package init(_ type: NumberType, scale: Decimal = 1) {
            self.type = type
            self.scale = scale
        }
    }

    /// The parts, the most significant first.
    package var parts: [Part]
    /// The smallest value that fits.
    package var minimum: Decimal?
    /// The largest value that fits.
    package var maximum: Decimal?

    /// How many bytes it has.
    package var width: Int { parts.reduce(0) { $0 + $1.type.width } }

    /// Makes a sum.
    package init(_ parts: [Part], minimum: Decimal? = nil, maximum: Decimal? = nil) {
        self.parts = parts
        self.minimum = minimum
        self.maximum = maximum
    }
}
