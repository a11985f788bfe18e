public import JSON

extension FieldType {
    /// Checks a value against the declaration and normalizes it: Booleans, whole numbers as integers, objects with
    /// their defaults.
    ///
    /// - Parameters:
    ///   - value: The value as it was given.
    ///   - path: The path of the value in the payload, as errors name it: `direction` or `steps[2].hz`.
    ///   - words: The rules by which words for true and false are read.
    /// - Throws: ``CommandError`` with code `invalid_value`, `out_of_range`, `unknown_field` or `missing_field`. The
    ///   message names the place, what is allowed and what was given.
    public func check(
        _ value: JSON.Value, path: String, words: TruthWords = TruthWords()
    ) throws(CommandError) -> JSON.Value {
        switch self {
        case .boolean:
            guard let truth = words.value(of: value) else { throw mismatch(value, path, words) }
            return .bool(truth)
        case .integer(let range):
            guard value.double != nil else { throw mismatch(value, path) }
            guard let whole = value.integer else { throw mismatch(value, path) }
            guard range.contains(whole) else { throw outOfRange(value, path) }
            return .integer(whole)
        case .number(let range):
            guard let number = value.double else { throw mismatch(value, path) }
            guard range.contains(number) else { throw outOfRange(value, path) }
            return value
        case .angle:
            guard let number = value.double else { throw mismatch(value, path) }
            guard number >= 0, number <= 360 else { throw outOfRange(value, path) }
            return number == 360 ? 0 : value
        case .choice(let choices):
            guard let word = value.string else { throw mismatch(value, path) }
            if choices.contains(word) { return value }
            guard let other = words.position(of: word, among: choices) else { throw mismatch(value, path) }
            return .string(other)
        case .text(let range):
            guard let text = value.string else { throw mismatch(value, path) }
            guard range.contains(text.utf8.count) else { throw outOfRange(value, path) }
            return value
        case .form(let form, let range):
            guard let text = value.string else { throw mismatch(value, path) }
            guard range.contains(text.utf8.count) else { throw outOfRange(value, path) }
            guard form.fits(text) else { throw mismatch(value, path) }
            return value
        case .time:
            guard let text = value.string, TimeStamp(text) != nil else { throw mismatch(value, path) }
            return value
        case .list(let type, let count):
            guard let elements = value.array else { throw mismatch(value, path) }
            guard count.contains(elements.count) else {
                throw CommandError(
                    .outOfRange,
                    "\(path): \(count.lowerBound)...\(count.upperBound) values, got \(elements.count)")
            }
            var checked: [JSON.Value] = []
            checked.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                do { checked.append(try type.check(element, path: path, words: words)) } catch {
                    // The path is built only for an error, because building it is slow.
                    checked.append(try type.check(element, path: "\(path)[\(index)]", words: words))
                }
            }
            return .array(checked)
        case .object(let fields):
            guard let object = value.object else { throw mismatch(value, path) }
            return .object(try fields.check(object, path: path, words: words))
        case .map(let type):
            guard let object = value.object else { throw mismatch(value, path) }
            var checked = JSON.Object()
            for member in object.members {
                checked[member.key] = try type.check(
                    member.value, path: "\(path).\(member.key)", words: words)
            }
            return .object(checked)
        case .either(let types):
            for type in types {
                if let checked = try? type.check(value, path: path, words: words) { return checked }
            }
            throw mismatch(value, path)
        case .any: return value
        }
    }

    private func mismatch(
        _ value: JSON.Value, _ path: String, _ words: TruthWords = TruthWords()
    ) -> CommandError {
        let end = words.isYesStrict ? ";" : ","
        return CommandError(.invalidValue, "\(path): \(allowed(words))\(end) got \(Self.excerpt(value))")
    }

    private func outOfRange(_ value: JSON.Value, _ path: String) -> CommandError {
        CommandError(.outOfRange, "\(path): \(allowed), got \(Self.excerpt(value))")
    }

    /// Returns a value as an error quotes it, truncated so that it does not flood the log.
    private static func excerpt(_ value: JSON.Value) -> String {
        let text = value.description
        return text.utf8.count <= 60 ? text : text.prefix(57) + "…"
    }
}

extension [Field] {
    /// Checks the members of an object against these declarations and adds defaults.
    ///
    /// - Throws: ``CommandError`` for a key that is not declared, a missing key, or a value that does not fit.
    public func check(
        _ object: JSON.Object, path: String = "", words: TruthWords = TruthWords()
    ) throws(CommandError) -> JSON.Object {
        let prefix = path.isEmpty ? "" : "\(path)."
        for member in object.members where !contains(where: { $0.name == member.key }) {
            let names = map(\.name)
            let advice = Nearest.advice(on: member.key, among: names, allowed: names.joined(separator: " "))
            throw CommandError(.unknownField, "\(prefix)\(member.key): not known here; \(advice)")
        }
        var checked = JSON.Object()
        checked.reserveCapacity(count)
        for field in self {
            guard let value = object[field.name] else {
                guard !field.isRequired else {
                    throw CommandError(
                        .missingField, "\(prefix)\(field.name): missing; \(field.type.allowed(words))")
                }
                checked[field.name] = field.default
                continue
            }
            if value == .null, field.isNullable {
                checked[field.name] = .null
            } else {
                checked[field.name] = try field.type.check(
                    value, path: prefix + field.name, words: words)
            }
        }
        return checked
    }
}
