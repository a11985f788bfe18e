public import JSON

/// A command's payload, parsed and checked.
public struct Invocation: Hashable, Sendable {
    /// The arguments, including defaults.
    public var arguments: Arguments
    /// The sender's `id`, which requests an answer and is copied into it.
    public var id: JSON.Value?
    /// The sender's `expires`: the command is refused after this time.
    public var expires: TimeStamp?

    /// Creates an invocation.
    public init(arguments: Arguments, id: JSON.Value? = nil, expires: TimeStamp? = nil) {
        self.arguments = arguments
        self.id = id
        self.expires = expires
    }
}

extension Command {
    /// Parses a payload: a JSON object, a bare value if a shorthand allows it, or nothing if an empty payload has a
    /// meaning.
    ///
    /// - Throws: ``CommandError`` that states what is wrong and what is allowed.
    public func parse(_ payload: [UInt8]) throws(CommandError) -> Invocation {
        do { return try parse(text: payload.trimmed) } catch {
            guard let off = withoutEnd(payload) else { throw error }
            return off
        }
    }

    /// Parses a payload that ends with a zero byte, as some senders transmit C strings. Only a command to switch off is
    /// accepted in this form. Returns nil for any other payload.
    private func withoutEnd(_ payload: [UInt8]) -> Invocation? {
        guard payload.last == 0, let end = payload.lastIndex(where: { $0 != 0 }),
            let invocation = try? parse(text: Array(payload[...end]).trimmed)
        else { return nil }
        let switches = switches
        let isOff = switches.allSatisfy { invocation.arguments.values[$0.name] == false }
        return isOff && !switches.isEmpty ? invocation : nil
    }

    private func parse(text: [UInt8]) throws(CommandError) -> Invocation {
        if text.isEmpty {
            guard let empty else {
                throw CommandError(.invalidPayload, "empty payload; allowed: \(expectation)")
            }
            return Invocation(arguments: try check(empty))
        }
        guard text.first == UInt8(ascii: "{") else {
            return Invocation(arguments: try check(try expand(text)))
        }
        var object: JSON.Object
        do {
            guard case .object(let members) = try JSON.Value(parsing: text, maximumDepth: 16) else {
                throw CommandError(.invalidPayload, "allowed: \(expectation)")
            }
            object = members
        } catch let error as JSONError {
            let isCopied = text.starts(with: Array(#"{\""#.utf8))
            throw CommandError(
                .invalidPayload,
                "not valid JSON: \(error)"
                    + (isCopied ? "; if you copied it out of JSON, remove the backslashes" : ""))
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(.internal, "\(error)")
        }
        return try parse(members: &object)
    }

    /// Checks an object that is already parsed, such as a member of the payload of a group command or of a request.
    ///
    /// - Throws: ``CommandError`` that states what is wrong and what is allowed.
    public func parse(members object: inout JSON.Object) throws(CommandError) -> Invocation {
        let id = object["id"]
        var expires: TimeStamp?
        if !fields.contains(where: { $0.name == "id" }) { object["id"] = nil }
        if let value = object["expires"] {
            guard let stamp = value.string.flatMap(TimeStamp.init) else {
                throw CommandError(.invalidValue, "expires: \(FieldType.time.allowed), got \(value)")
            }
            expires = stamp
            object["expires"] = nil
        }
        return Invocation(arguments: try check(object), id: id, expires: expires)
    }

    /// Returns the object that a bare payload stands for.
    private func expand(_ text: [UInt8]) throws(CommandError) -> JSON.Object {
        func bare() -> JSON.Value { .string(String(decoding: text, as: UTF8.self)) }
        let value = (try? JSON.Value(parsing: text, maximumDepth: 16)) ?? bare()
        if case .string(let said) = value {
            for case .word(let word, let members) in shorthands where said == word { return members }
            if said.isEmpty, let empty { return empty }
        }
        let bareFields = shorthands.compactMap(\.bareField)
        // If several fields have a shorthand, the first field that accepts the value is used.
        let fitting = bareFields.first { bareField in
            let type = fields.first { $0.name == bareField.name }?.type
            return (try? type?.check(value, path: bareField.name)) != nil
        }
        if let (name, members) = fitting ?? bareFields.first {
            // For a text field, a payload such as 42 or true is text.
            let isText =
                switch fields.first(where: { $0.name == name })?.type {
                case .text, .form: true
                default: false
                }
            var object = JSON.Object()
            object[name] = isText && value.string == nil ? bare() : value
            for member in members.members { object[member.key] = member.value }
            return object
        }
        throw CommandError(.invalidPayload, "allowed: \(expectation)")
    }

    private func check(_ object: JSON.Object) throws(CommandError) -> Arguments {
        for rule in rules where !rule.isConditional { try rule.check(object, [:], fields) }
        let checked = try fields.check(object, words: truthWords)
        for rule in rules where rule.isConditional { try rule.check(object, checked, fields) }
        if traits.contains(.confirmed), checked["confirm"] != true {
            throw CommandError(
                .missingField, "confirm: needs \"confirm\":true, because it cannot easily be undone")
        }
        return Arguments(checked)
    }

    /// The rules for the words that this command reads as true or false.
    public var truthWords: TruthWords { TruthWords(isYesStrict: traits.contains(.hazardous)) }

    /// The payloads that the command allows, in words for error messages.
    private var expectation: String {
        var parts: [String] = []
        if !fields.isEmpty { parts.append("a JSON object with \(fields.map(\.name).joined(separator: " "))") }
        for shorthand in shorthands {
            switch shorthand {
            case .word(let word, _): parts.append("the word \(word)")
            case .field(let name), .completed(let name, _):
                if let field = fields.first(where: { $0.name == name }) {
                    parts.append("a bare \(name) (\(field.type.allowed(truthWords)))")
                }
            }
        }
        if empty != nil { parts.append("nothing") }
        return parts.isEmpty ? "an empty object" : parts.joined(separator: ", or ")
    }
}

extension Command.Shorthand {
    /// The field whose bare value can replace the object, and the other members that the object then has; nil for a
    /// shorthand that is a word.
    public var bareField: (name: String, also: JSON.Object)? {
        switch self {
        case .field(let name): (name, JSON.Object())
        case .completed(let name, let members): (name, members)
        case .word: nil
        }
    }
}

extension [UInt8] {
    /// The bytes without white space at both ends. The shell's `echo` adds a line feed.
    fileprivate var trimmed: [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) })
        else { return [] }
        return last - first + 1 == count ? self : Array(self[first...last])
    }
}
