public import JSON

extension Command {
    /// The payload that the answer to a refused command suggests: the shortest bare value that the command accepts,
    /// otherwise its shortest payload.
    ///
    /// For a hazardous command, the suggested payload moves nothing. The value is nil if no such payload is known.
    public var suggestion: JSON.Value? {
        guard !traits.contains(.hazardous) else { return rest ?? off }
        let names = shorthands.compactMap { $0.bareField?.name }
        let shown = [example] + names.compactMap { example[$0] }
        return shortest(shown.filter { $0.object == nil })
            ?? shortest(names.flatMap(words(of:))) ?? shortest(shown).map(shortened)
    }

    /// Removes the optional keys of an object, except its first key and `confirm`.
    private func shortened(_ payload: JSON.Value) -> JSON.Value {
        guard let members = payload.object?.members else { return payload }
        return members.dropFirst().reversed().reduce(payload) { payload, member in
            guard member.key != "confirm", let rest = payload.object?.members.filter({ $0.key != member.key })
            else { return payload }
            let shorter = JSON.Value.object(JSON.Object(rest.map { ($0.key, $0.value) }))
            return isTaken(shorter) ? shorter : payload
        }
    }

    /// Returns the shortest of these payloads that the command accepts; nil if it accepts none.
    private func shortest(_ payloads: [JSON.Value]) -> JSON.Value? {
        payloads.filter(isTaken).min { $0.text.utf8.count < $1.text.utf8.count }
    }

    /// Returns the words that a choice field allows; empty for other types.
    private func words(of name: String) -> [JSON.Value] {
        guard case .choice(let words) = fields.first(where: { $0.name == name })?.type else { return [] }
        return words.map { .string($0) }
    }

    /// A payload that switches off everything that the command can switch on; nil if the command has no switch.
    private var off: JSON.Value? {
        let switches = fields.filter { $0.type == .boolean && $0.name != "confirm" }
        guard let first = switches.first else { return nil }
        if switches.count == 1, shorthands.contains(.field(first.name)), isTaken("off") { return "off" }
        let object = JSON.Value.object(JSON.Object(switches.map { ($0.name, false) }))
        return isTaken(object) ? object : nil
    }

    private func isTaken(_ payload: JSON.Value) -> Bool { (try? parse(Array(payload.text.utf8))) != nil }
}

extension JSON.Value {
    /// The value as a bare payload: text is not in quotes.
    fileprivate var text: String { string ?? description }
}
