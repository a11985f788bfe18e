import DeviceKit
import JSON

extension CommandEntry {
    /// Returns the same values, with a replacement for each value that a step cannot encode. The declared type of a
    /// field does not show, for example, that its text consists of hexadecimal digits.
    func encodable(_ values: JSON.Object) -> JSON.Object {
        var values = values
        for field in fields where values[field.name] != nil {
            let steps = steps.filter { $0.writes(field.name) }
            func isEncodable(_ value: JSON.Value) -> Bool {
                var changed = values
                changed[field.name] = value
                guard (try? fields.check(changed)) != nil else { return false }
                return steps.allSatisfy { $0.refusal(of: changed, naming: field.name) == nil }
            }
            let candidates =
                [values[field.name]].compactMap(\.self) + steps.flatMap { $0.examples(of: field.name) }
                + field.type.forms
            values[field.name] = candidates.first(where: isEncodable) ?? values[field.name]
        }
        return values
    }
}

extension WriteStep {
    /// Whether the step writes a field.
    fileprivate func writes(_ name: String) -> Bool {
        switch content {
        case .bytes, .read: false
        case .text(let template):
            template.parts.contains { if case .field(name, _) = $0 { true } else { false } }
        case .packet(let packet): packet.items.contains { $0.writes(name) }
        }
    }

    /// Encodes these values, and returns the error if it concerns this field; otherwise nil.
    fileprivate func refusal(of values: JSON.Object, naming name: String) -> CommandError? {
        if let condition, !condition.holds(values) { return nil }
        do throws(CommandError) {
            switch content {
            case .bytes, .read: break
            case .text(let template): _ = try template.write(values)
            case .packet(let packet): _ = try packet.write(values)
            }
        } catch {
            return error.message.hasPrefix(name) ? error : nil
        }
        return nil
    }

    /// Returns example values of the packet items that write the field.
    fileprivate func examples(of name: String) -> [JSON.Value] {
        guard case .packet(let packet) = content else { return [] }
        return packet.items.filter { $0.name == name }.compactMap(\.example)
    }
}

extension PacketItem {
    fileprivate func writes(_ name: String) -> Bool {
        if case .flags(_, let bits) = content, bits.contains(where: { $0.name == name }) { return true }
        return self.name == name
    }
}

extension FieldType {
    /// Candidates for example values of a field: texts of hexadecimal digits, of Base64 and of letters, and lists of
    /// each length up to 16.
    fileprivate var forms: [JSON.Value] {
        switch self {
        case .text(let length):
            [("01", 2), ("AQID", 4), ("h", 1)].compactMap { text, width in
                let count = max(1, (length.lowerBound + width - 1) / width)
                return count * width <= length.upperBound
                    ? .string(String(repeating: text, count: count)) : nil
            }
        case .list(let type, let count):
            (count.lowerBound...max(count.lowerBound, min(count.upperBound, 16))).map {
                .array(Array(repeating: type.sample, count: $0))
            }
        default: []
        }
    }
}
