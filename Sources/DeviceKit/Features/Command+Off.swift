import JSON

extension Command {
    /// The Boolean keys that are required or that a bare payload sets. The command switches something on or off with
    /// them.
    var switches: [Field] {
        let bare = shorthands.compactMap { $0.bareField?.name }
        return fields.filter { $0.type == .boolean && ($0.isRequired || bare.contains($0.name)) }
    }

    /// Reads a payload as a command to switch off. Unknown or invalid keys are ignored, and so is `expires`.
    ///
    /// - Returns: The invocation; nil if the payload does not mean off, or if the command has no Boolean key that
    ///   switches something (``switches``).
    public func readOff(_ payload: [UInt8]) -> Invocation? {
        let switches = switches
        guard !switches.isEmpty, let said = JSON.Value(bare: payload) else { return nil }
        let values =
            said.object.map { object in switches.map { object[$0.name] } }
            ?? (switches.count == 1 ? [said] : [])
        guard !values.isEmpty, values.allSatisfy({ $0.map(TruthWords.canMeanOff) ?? false }) else {
            return nil
        }
        let plain = JSON.Value.object(JSON.Object(switches.map { ($0.name, false) }))
        let read = (try? parse(payload)) ?? (try? parse(plain.bytes))
        return read.map { Invocation(arguments: $0.arguments, id: said["id"]) }
    }

    /// Whether a bare payload is one of the words for off.
    public static func meansOff(_ payload: [UInt8]) -> Bool {
        JSON.Value(bare: payload).map(TruthWords.canMeanOff) ?? false
    }
}

extension JSON.Value {
    /// Reads a payload as JSON, otherwise as text. Ignores a byte order mark and trailing zero bytes. Returns nil for
    /// an empty payload.
    fileprivate init?(bare payload: [UInt8]) {
        // The UTF-8 byte order mark, and the zero byte that ends a C string.
        var text = payload.starts(with: [0xEF, 0xBB, 0xBF]) ? payload.dropFirst(3) : payload[...]
        while text.last == 0 { text.removeLast() }
        guard !text.isEmpty else { return nil }
        self =
            (try? JSON.Value(parsing: Array(text), maximumDepth: 16))
            ?? .string(String(decoding: text, as: UTF8.self))
    }
}
