/// Pairs of a tag and values, up to the end of the packet. The tag identifies the values that follow.
package struct TaggedField: Hashable, Sendable {
    /// The reaction to a tag that the file does not list, and to a value that does not fit.
    package enum Unknown: String, Hashable, Sendable, CaseIterable {
        /// The values before the tag are used. The remainder of the packet is ignored.
        case end
        /// The whole packet is rejected.
        case refuse
        /// The values before and after the tag are used. This requires a length after each tag.
        case skip
    }

    package var tag: NumberType
    /// The type of the number after each tag that contains the length of the tag's values; nil if the packet has no
    /// such number and the items determine the length.
    package var length: NumberType?
    package var unknown: Unknown
    /// The known tags, in the order of the file.
    package let tags: [UInt64]
    /// The items that follow each tag.
    package let formats: [UInt64: PacketFormat]
    /// The number of occurrences of a field in a packet that are published, by the name of the field. Fields with one
    /// occurrence are omitted.
    let times: [String: Int]

    package init(
        tag: NumberType, length: NumberType? = nil, unknown: Unknown = .end,
        _ formats: [(tag: UInt64, format: PacketFormat)]
    ) {
        self.tag = tag
        self.length = length
        self.unknown = unknown
        tags = formats.map(\.tag)
        self.formats = Dictionary(formats.map { ($0.tag, $0.format) }) { first, _ in first }
        let counts = formats.flatMap(\.format.items).compactMap { item in
            item.name.flatMap { item.times > 1 ? ($0, item.times) : nil }
        }
        times = Dictionary(counts) { max($0, $1) }
    }

    /// The items of all tags, in the order of the file.
    var items: [PacketItem] { tags.flatMap { formats[$0]?.items ?? [] } }

    /// Returns the published name of an occurrence of a field: `temperature`, `temperature_2`.
    static func name(_ name: String, _ occurrence: Int) -> String {
        occurrence == 1 ? name : "\(name)_\(occurrence)"
    }

    /// Returns the name of a field's first occurrence: `temperature` for `temperature_2`; nil for any other name.
    static func first(of name: String) -> String? {
        guard let last = name.utf8.last, (0x32...0x38).contains(last), name.dropLast().hasSuffix("_") else {
            return nil
        }
        return String(name.dropLast(2))
    }

    /// Reads tags and their values up to an index, and adds the values to a reading.
    func read(
        _ bytes: [UInt8], _ position: inout Int, to end: Int, _ reading: inout PacketReading,
        taken: Set<String>?
    ) throws(PacketMisfit) {
        let bytes = end < bytes.count ? Array(bytes[..<end]) : bytes
        while position < end {
            var next: Int?
            do throws(PacketMisfit) {
                let found = try tag.take(bytes, &position, "tag")
                if let length {
                    let count = Int(clamping: try length.take(bytes, &position, "length"))
                    guard count <= end - position else {
                        throw PacketMisfit("tag \(found)", end: end, needed: count)
                    }
                    next = position + count
                }
                guard let format = formats[found] else {
                    throw PacketMisfit(
                        nil,
                        "found the tag \(found); allowed: \(tags.map(String.init).joined(separator: " "))")
                }
                var part = reading.part
                if let next {
                    var place = 0
                    try format.read(Array(bytes[position..<next]), &place, &part)
                } else {
                    try format.read(bytes, &position, &part)
                }
                reading.add(part, times, taken: taken)
            } catch {
                switch (unknown, next) {
                case (.refuse, _): throw error
                case (.skip, .some): break
                // Without a known length, the next tag cannot be found.
                case (.end, _), (.skip, nil):
                    position = end
                }
            }
            if let next { position = next }
        }
    }
}
