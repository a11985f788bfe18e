import DeviceKit
import JSON

extension PacketFormat {
    /// Returns the declarations of the published fields, in order.
    ///
    /// - Parameter isPartial: Whether absent fields are omitted. Otherwise absent fields are `null`.
    func reportFields(isPartial: Bool = false) -> [ReportField] {
        var fields: [ReportField] = []
        func add(_ name: String, _ type: FieldType, _ look: FieldLook, isNullable: Bool) {
            guard let index = fields.firstIndex(where: { $0.field.name == name }) else {
                let summary = look.title ?? FieldLook.title(of: name)
                let field = Field(name, type, unit: look.unit, nullable: isNullable, "\(summary).")
                return fields.append(ReportField(field, look: look))
            }
            fields[index].field.type = fields[index].field.type.joined(with: type)
            fields[index].field.isNullable = fields[index].field.isNullable || isNullable
        }
        func collect(_ item: PacketItem, isTagged: Bool) {
            let isAbsent = !isPartial && (isTagged || item.condition != nil)
            let isNullable = isAbsent || item.hasNulls
            if case .flags(_, let bits) = item.content {
                for bit in bits where bit.isPublished && isTaken(bit.name) {
                    let isNull = isAbsent || !(bit.number?.nulls.isEmpty ?? true)
                    add(
                        bit.name, bit.number?.fieldType(bits: bit.last - bit.first + 1) ?? .boolean, bit.look,
                        isNullable: isNull)
                }
            }
            guard item.isPublished, let name = item.name, isTaken(name), let type = item.fieldType else {
                return
            }
            for occurrence in 1...item.times {
                var look = item.look
                if occurrence > 1 { look.title = "\(look.title ?? FieldLook.title(of: name)) \(occurrence)" }
                add(TaggedField.name(name, occurrence), type, look, isNullable: isNullable)
            }
        }
        for item in items {
            if case .tagged(let field) = item.content {
                for item in field.items { collect(item, isTagged: true) }
            } else {
                collect(item, isTagged: false)
            }
        }
        return fields
    }

    /// Whether the feature publishes the field. With `take` in the file, a feature publishes only some fields of a
    /// packet.
    func isTaken(_ name: String) -> Bool { taken?.contains(name) ?? true }
}

extension FieldLook {
    /// Returns a title for a name: `heart_rate` becomes `Heart rate`, `button_a` becomes `Button A`.
    static func title(of name: String) -> String {
        name.split(separator: "_").enumerated().map { index, word in
            // A single letter is written in upper case, because it is probably a label such as `A`.
            index == 0 || word.count == 1 ? word.prefix(1).uppercased() + word.dropFirst() : String(word)
        }.joined(separator: " ")
    }
}

extension FieldType {
    /// Returns a type that contains the values of both types.
    fileprivate func joined(with other: FieldType) -> FieldType {
        switch (self, other) {
        case _ where self == other: self
        case (.integer(let one), .integer(let two)):
            .integer(min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound))
        case (.number(let one), .number(let two)):
            .number(min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound))
        case (.integer(let one), .number(let two)), (.number(let two), .integer(let one)):
            .number(min(Double(one.lowerBound), two.lowerBound)...max(Double(one.upperBound), two.upperBound))
        case (.choice(let one), .choice(let two)): .choice(one + two.filter { !one.contains($0) })
        case (.text(let one), .text(let two)):
            .text(min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound))
        default: .any
        }
    }
}

extension PacketItem {
    /// Whether the value can be `null` although the item is present.
    fileprivate var hasNulls: Bool {
        switch content {
        case .number(let field): !field.nulls.isEmpty || !field.type.isInteger
        case .date(let date): date.form == .dateTime
        default: false
        }
    }

    /// The type of the published value; nil for an item without a value.
    fileprivate var fieldType: FieldType? {
        switch content {
        case .number(let field): field.fieldType()
        case .boolean: .boolean
        case .flags(let type, _):
            .integer(Int(clamping: type.range.lowerBound)...Int(clamping: type.range.upperBound))
        // The length is tripled, because each byte that is not UTF-8 is replaced by a character of three bytes.
        case .text(let length): .text(0...(3 * (length.fixed ?? PacketFormat.limit)))
        case .bytes(_, let length):
            .text(0...(2 * (length.fixed ?? PacketFormat.limit)))
        case .list(let list): list.fieldType
        case .sum(let sum): sum.fieldType
        case .date(let date): date.zone == nil ? .text(19...19) : .time
        case .skip, .literal, .pad, .now, .tagged, .checksum: nil
        }
    }
}

extension NumberField {
    /// The type of the published value.
    ///
    /// - Parameter bits: The number of bits if the field is part of a larger number; nil for a whole number.
    func fieldType(bits: Int? = nil) -> FieldType {
        if !words.isEmpty {
            return .choice(
                (words.map(\.word) + (unknown.map { [$0] } ?? [])).reduce(into: []) {
                    if !$0.contains($1) { $0.append($1) }
                })
        }
        var (lower, upper) = limits
        if let bits, scaling == nil {
            lower = minimum ?? 0
            upper = maximum ?? Decimal((Int128(1) << bits) - 1)
        }
        if type.isInteger, (scaling.map { $0.isWhole } ?? true), let low = lower.whole,
            let high = upper.whole, high <= Int.max
        {
            return .integer(Int(clamping: low)...Int(clamping: max(low, high)))
        }
        guard type.isInteger else {
            let greatest = Double.greatestFiniteMagnitude
            return .number((minimum?.double ?? -greatest)...(maximum?.double ?? greatest))
        }
        return .number(lower.double...max(lower.double, upper.double))
    }
}

extension Scaling {
    /// Whether the conversion of a whole raw value always gives a whole value.
    fileprivate var isWhole: Bool {
        places == 0 || denominator == 1 && numerator.places == 0 && offset.places == 0
    }
}

extension ListField {
    fileprivate var fieldType: FieldType {
        let count: ClosedRange<Int> =
            if case .fixed(let count) = count { count...count } else { 0...PacketFormat.limit }
        switch element {
        case .number(let field): return .list(field.fieldType(), count: count)
        case .boolean: return .list(.boolean, count: count)
        case .items(let packet):
            return .list(.object(packet.reportFields().map(\.field)), count: count)
        }
    }
}

extension SumField {
    fileprivate var fieldType: FieldType {
        let greatest = parts.map { Double($0.type.range.upperBound) * $0.scale.double }
        let upper = greatest.reduce(0, +)
        let first = parts.first.map { Double($0.type.range.lowerBound) * $0.scale.double } ?? 0
        let lower = first < 0 ? first - greatest.dropFirst().reduce(0, +) : 0
        let least = minimum?.double ?? lower
        return .number(least...max(least, maximum?.double ?? upper))
    }
}
