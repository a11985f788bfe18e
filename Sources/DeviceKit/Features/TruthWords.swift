public import JSON

/// Reads the words for true and false. Case and surrounding white space are ignored. Words for off are read at least as
/// leniently as words for on.
public struct TruthWords: Hashable, Sendable {
    /// Whether only the exact words `true`, `on` and 1 mean yes, for commands that can injure people.
    public let isYesStrict: Bool

    /// Creates a reader.
    ///
    /// - Parameter isYesStrict: Whether only `true`, `on` and 1, spelled exactly, mean yes.
    public init(isYesStrict: Bool = false) { self.isYesStrict = isYesStrict }

    /// Returns the truth value that a JSON value expresses; nil if it expresses none.
    public func value(of value: JSON.Value) -> Bool? {
        switch value {
        case .bool(let truth): return truth
        case .string(let text): return self.value(ofWord: text)
        default:
            // `integer` also returns 1 for 1.0, so 1.0 is read like 1.
            switch value.integer {
            case 1: return true
            case 0: return false
            default: return nil
            }
        }
    }

    /// Whether a value means off: null, `stop`, or any word for false. A command to switch off is accepted in more
    /// forms than its field declares.
    static func canMeanOff(_ value: JSON.Value) -> Bool {
        value == .null || TruthWords().value(of: value) == false || value.string.map(plain) == "stop"
    }

    /// Returns `on` or `off` for a text such as `yes` or `FALSE`, if these are the two words of the field. Returns nil
    /// for any other text or field.
    func position(of text: String, among words: [String]) -> String? {
        guard words.count == 2, words.contains("on"), words.contains("off") else { return nil }
        return value(ofWord: text).map { $0 ? "on" : "off" }
    }

    private func value(ofWord text: String) -> Bool? {
        if Self.strictYes.contains(text) { return true }
        let plain = Self.plain(text)
        if Self.no.contains(plain) { return false }
        // A trailing zero byte, as in a C string, is accepted only after a word for no, so that switching off is easier
        // than on.
        guard !isYesStrict, text.utf8.last != 0, Self.yes.contains(plain) else { return nil }
        return true
    }

    private static func plain(_ text: String) -> String {
        var word = text.utf8.drop { isSpace($0) }
        while let last = word.last, isSpace(last) || last == 0 { word.removeLast() }
        return String(decoding: word, as: UTF8.self).lowercased()
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static let strictYes = ["true", "on"]
    private static let yes = strictYes + ["yes"]
    private static let no = ["false", "off", "no"]

    // MARK: Schemas

    /// Returns the JSON Schema of the values that are read as a truth value.
    public func schema(for truth: Bool) -> JSON.Object {
        if truth, isYesStrict { return ["enum": [true, "true", "on", 1]] }
        let words = (truth ? Self.yes : Self.no).map { word in
            word.map { "[\($0.uppercased())\($0)]" }.joined()
        }
        let end = truth ? "" : #"\x00"#
        let pattern = #"^[\t-\r ]*("# + words.joined(separator: "|") + #")[\t-\r \#(end)]*$"#
        return [
            "anyOf": [
                ["enum": [.bool(truth), truth ? 1 : 0]], ["type": "string", "pattern": .string(pattern)],
            ]
        ]
    }
}
