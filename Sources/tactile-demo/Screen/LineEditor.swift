/// Composes lines from the bytes of a terminal in raw mode.
package struct LineEditor: Hashable, Sendable {
    /// What the typed bytes request from the caller.
    package enum Outcome: Hashable, Sendable {
        case line(String)
        /// The end of the input was typed (Ctrl-D on an empty line).
        case end
        /// The screen must be redrawn (Ctrl-L).
        case redraw
    }

    /// The characters of the line, and the index of the cursor.
    package private(set) var text: [Character] = []
    package private(set) var cursor = 0
    /// The bytes of an incomplete character or key sequence.
    private var pending: [UInt8] = []
    private var history: [String] = []
    private var recalled: Int?

    /// The maximum length of a line; further characters are ignored.
    static let longest = 1000
    private static let remembered = 100

    package init() {}

    /// Processes bytes of the terminal.
    package mutating func take(_ bytes: [UInt8]) -> [Outcome] {
        var outcomes: [Outcome] = []
        for byte in bytes {
            if let outcome = take(byte) { outcomes.append(outcome) }
        }
        return outcomes
    }

    private mutating func take(_ byte: UInt8) -> Outcome? {
        if pending.first == 0x1B { return takeSequence(byte) }
        if !pending.isEmpty {
            guard byte & 0xC0 == 0x80 else {
                pending = []
                return take(byte)
            }
            pending.append(byte)
            return takeCharacter()
        }
        switch byte {
        case 0x0D, 0x0A: return finish()
        case 0x08, 0x7F: erase(from: cursor - 1)
        case 0x01: cursor = 0
        case 0x05: cursor = text.count
        case 0x04:
            if text.isEmpty { return .end }
            erase(from: cursor)
        case 0x0B: text.removeSubrange(cursor...)
        case 0x0C: return .redraw
        case 0x15:
            text.removeSubrange(..<cursor)
            cursor = 0
        case 0x17: eraseWord()
        case 0x1B, 0xC2...0xF4: pending = [byte]
        case 0x20...0x7E: insert(Character(UnicodeScalar(byte)))
        default: break
        }
        return nil
    }

    private mutating func takeCharacter() -> Outcome? {
        let first = pending[0]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard pending.count == length else { return nil }
        let scalars = String(decoding: pending, as: UTF8.self)
        pending = []
        for character in scalars where character != "\u{FFFD}" { insert(character) }
        return nil
    }

    /// Processes a byte of a key that sends several bytes: `ESC [ A`, `ESC O H`, `ESC [ 3 ~`.
    private mutating func takeSequence(_ byte: UInt8) -> Outcome? {
        pending.append(byte)
        if pending.count == 2 {
            if byte != UInt8(ascii: "["), byte != UInt8(ascii: "O") { pending = [] }
            return nil
        }
        // Parameters and intermediate bytes precede the final byte (ECMA-48, 5.4).
        guard byte >= 0x40 else {
            if pending.count > 16 { pending = [] }
            return nil
        }
        let sequence = String(decoding: pending.dropFirst(2), as: UTF8.self)
        pending = []
        switch sequence {
        case "A": recall(-1)
        case "B": recall(1)
        case "C": cursor = min(cursor + 1, text.count)
        case "D": cursor = max(cursor - 1, 0)
        case "H", "1~": cursor = 0
        case "F", "4~": cursor = text.count
        case "3~": erase(from: cursor)
        default: break
        }
        return nil
    }

    private mutating func insert(_ character: Character) {
        guard text.count < Self.longest else { return }
        // A combining mark is appended to the previous character.
        if character.columns == 0, cursor > 0 {
            text[cursor - 1] = String(text[cursor - 1]).appending(character).first ?? character
            return
        }
        text.insert(character, at: cursor)
        cursor += 1
    }

    private mutating func erase(from place: Int) {
        guard text.indices.contains(place) else { return }
        text.remove(at: place)
        cursor = place
    }

    private mutating func eraseWord() {
        while cursor > 0, text[cursor - 1] == " " { erase(from: cursor - 1) }
        while cursor > 0, text[cursor - 1] != " " { erase(from: cursor - 1) }
    }

    private mutating func finish() -> Outcome {
        let line = String(text)
        if !line.isEmpty, history.last != line { history.append(line) }
        if history.count > Self.remembered { history.removeFirst() }
        (text, cursor, recalled) = ([], 0, nil)
        return .line(line)
    }

    private mutating func recall(_ step: Int) {
        guard !history.isEmpty else { return }
        let place = (recalled ?? history.count) + step
        guard place >= 0 else { return }
        recalled = place < history.count ? place : nil
        text = Array(place < history.count ? history[place] : "")
        cursor = text.count
    }
}

extension String {
    fileprivate func appending(_ character: Character) -> String { self + String(character) }
}
