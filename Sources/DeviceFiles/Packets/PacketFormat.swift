/// The layout of a packet: items that are read or written in order.
package struct PacketFormat: Hashable, Sendable {
    package let items: [PacketItem]
    /// Whether a packet with more bytes than the items is rejected.
    package let isExact: Bool

    /// The maximum size of a packet in bytes.
    package static let limit = 512

    /// The names of the fields that are published; nil for all fields whose name has no underscore at its start.
    package let taken: Set<String>?
    /// The name of the item whose sequence number distinguishes a new packet from a repetition.
    package let sequence: String?

    package init(
        _ items: [PacketItem], isExact: Bool = false, taken: Set<String>? = nil, sequence: String? = nil,
        keepsNumbers: Bool = false
    ) {
        self.items = items
        self.isExact = isExact
        self.taken = taken
        self.sequence = sequence
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
        published = items.map { $0.isPublished && taken?.contains($0.name ?? "") ?? true }
        let all = items.flatMap(\.publishedNames)
        namesDiffer = Set(all).count == all.count && !items.contains(where: \.isTagged)
        publishedCount = items.contains(where: \.isTagged) ? 0 : taken?.count ?? all.count
        isStraight = !keepsNumbers && items.allSatisfy { $0.condition == nil && !$0.dependsOnNumbers }
    }

    /// Bits of a number that must have a certain value in every packet of this format.
    struct Sign: Hashable, Sendable {
        let mask: UInt64
        let first: Int
        let type: NumberType
        let equals: Int128

        /// Creates a sign; nil if the bits may have any value.
        init?(_ bits: BitField) {
            guard let number = bits.number, let equals = number.equals else { return nil }
            (mask, first, type, self.equals) = (bits.mask, bits.first, number.type, equals)
        }

        func isThere(_ number: UInt64) -> Bool { type.integer((number & mask) >> first) == equals }
    }

    /// For each item, the earlier items with the same name, as a bit mask: bit 0 represents the first item.
    let twins: [UInt64]
    /// The bits of the first number that must have a certain value. They distinguish packets of features that share a
    /// characteristic.
    let signs: [Sign]
    /// The type of the first number in the packet, if the file divides this number into bit fields (`bits`); otherwise
    /// nil.
    let signType: NumberType?
    /// Whether raw values are discarded after each item is read, because no other item and no rate depends on them.
    let isStraight: Bool
    let published: [Bool]
    /// Whether each published name belongs to only one item.
    let namesDiffer: Bool
    /// The maximum number of values that a packet publishes; 0 with tags, because a packet contains few of them.
    let publishedCount: Int

    /// Returns the total size, in bytes, of all items after an index that have a fixed size and no condition.
    func tail(behind index: Int) -> Int {
        items[(index + 1)...].reduce(0) { $0 + ($1.condition == nil ? $1.width ?? 0 : 0) }
    }
}

package struct PacketItem: Hashable, Sendable {
    /// The enumeration is indirect, because a field is large: copying it for each event would cost more than reading
    /// its bytes.
    package indirect enum Content: Hashable, Sendable {
        case number(NumberField)
        /// A byte that is false if it is 0 and true otherwise.
        case boolean
        /// Several fields that are bits of one number.
        case flags(NumberType, bits: [BitField])
        /// A text in UTF-8, padded with zeros.
        case text(length: FieldLength)
        /// Bytes that are published as text, in hexadecimal or Base64.
        case bytes(BytesForm, length: FieldLength)
        case date(DateField)
        /// Pairs of a tag and a value, up to the end of the packet. The tag identifies the value.
        case tagged(TaggedField)
        /// A list: several elements of the same kind.
        case list(ListField)
        /// One number whose value is the sum of several numbers in the packet (``SumField``).
        case sum(SumField)
        /// This number of bytes. They are ignored when the packet is read, and are zeros when it is written.
        case skip(Int)
        /// A constant: bytes that always have these values.
        case literal([UInt8])
        /// Zeros up to this length of the packet.
        case pad(Int)
        /// The current time, in a packet that is written.
        case now(ClockField)
        /// A checksum of the preceding bytes, or of the bytes in the span.
        case checksum(Checksum, over: Span?, isBigEndian: Bool)
    }

    /// A range of bytes, including both ends. Negative indexes count from the end of the packet.
    package struct Span: Hashable, Sendable {
        package var first: Int
        package var last: Int

        package init(_ first: Int, _ last: Int) {
            self.first = first
            self.last = last
        }
    }

    /// The text form of bytes.
    package enum BytesForm: String, Hashable, Sendable, CaseIterable {
        /// Lower-case hexadecimal digits.
        case hex
        /// Base64 with padding.
        case base64
    }

    /// The field's name; nil for an item without a value.
    package var name: String?
    /// The content of the item's bytes.
    package var content: Content
    /// The condition for the item; nil for an unconditional item.
    package var condition: Condition?
    package var look: FieldLook
    /// For an item that follows a tag: the number of occurrences in a packet that are published.
    package var times = 1
    @SourceLine package var line: Int

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

    var isTagged: Bool { if case .tagged = content { true } else { false } }

    /// Whether the number of bytes depends on the raw value of another item.
    fileprivate var dependsOnNumbers: Bool {
        switch content {
        case .list(let list): if case .item = list.count { true } else { false }
        case .text(.item), .bytes(_, length: .item): true
        default: false
        }
    }

    /// The number of bytes; nil for an item of variable size.
    package var width: Int? {
        switch content {
        case .number(let field): field.type.width
        case .boolean: 1
        case .flags(let type, _): type.width
        case .now(let clock): clock.width
        case .date(let date): date.width
        case .text(let length), .bytes(_, let length): length.fixed
        case .list(let list):
            if case .fixed(let count) = list.count { list.width * count } else { nil }
        case .sum(let sum): sum.width
        case .skip(let count): count
        case .literal(let bytes): bytes.count
        case .pad, .tagged: nil
        case .checksum(let checksum, _, _): checksum.width
        }
    }

    /// Whether the value is published. An item whose name starts with an underscore is used only in the packet.
    package var isPublished: Bool { name.map { !$0.hasPrefix("_") } ?? false }

    /// The published names: of the item and of its bits.
    var publishedNames: [String] {
        let own = isPublished ? [name ?? ""] : []
        guard case .flags(_, let bits) = content else { return own }
        return own + bits.filter(\.isPublished).map(\.name)
    }
}

/// Several elements of the same kind.
package struct ListField: Hashable, Sendable {
    package enum Element: Hashable, Sendable {
        case number(NumberField)
        /// A byte that is false if it is 0 and true otherwise.
        case boolean
        /// Several items, which are published as an object.
        case items(PacketFormat)
    }

    /// The number of elements.
    package enum Count: Hashable, Sendable {
        /// The list has a fixed number of elements.
        case fixed(Int)
        /// The number of elements is the value of the item with this index.
        case item(Int)
        /// As many elements as the remaining bytes contain.
        case rest
    }

    package var element: Element
    package var count: Count

    /// The number of bytes of one element.
    package var width: Int {
        switch element {
        case .number(let field): field.type.width
        case .boolean: 1
        case .items(let packet): packet.items.reduce(0) { $0 + ($1.width ?? 0) }
        }
    }

    package init(of element: Element, count: Count = .rest) {
        self.element = element
        self.count = count
    }
}

/// One number that is the sum of several parts. Later parts have the sign of the first part.
package struct SumField: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        /// The encoding of the part in the packet.
        package var type: NumberType
        /// The factor by which the part is multiplied.
        package var scale: Decimal

        package init(_ type: NumberType, scale: Decimal = 1) {
            self.type = type
            self.scale = scale
        }
    }

    /// The parts, the most significant first.
    package var parts: [Part]
    /// The smallest allowed value.
    package var minimum: Decimal?
    /// The largest allowed value.
    package var maximum: Decimal?

    /// The number of bytes.
    package var width: Int { parts.reduce(0) { $0 + $1.type.width } }

    package init(_ parts: [Part], minimum: Decimal? = nil, maximum: Decimal? = nil) {
        self.parts = parts
        self.minimum = minimum
        self.maximum = maximum
    }
}
