import JSON

extension JSON.Value {
    /// Parses a file as design tools write it: UTF-8 or UTF-16, with or without a byte-order mark and trailing commas.
    ///
    /// - Throws: ``HapticsError`` with the location.
    init(designerFile bytes: some Collection<UInt8>) throws(HapticsError) {
        let text = try Self.utf8(Array(bytes))
        do {
            self = try JSON.Value(parsing: text, allowsTrailingCommas: true)
        } catch {
            let place = error.path.isEmpty ? "byte \(error.offset)" : error.path
            throw HapticsError(.invalid, place, "not valid JSON: \(error.reason), at byte \(error.offset)")
        }
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The text in UTF-8, without a byte-order mark.
    ///
    /// JSON starts with an ASCII character. If the first or second byte is zero, the text is therefore UTF-16: the zero
    /// is half of a 16-bit unit.
    private static func utf8(_ bytes: [UInt8]) throws(HapticsError) -> [UInt8] {
        if bytes.starts(with: mark) { return Array(bytes.dropFirst(mark.count)) }
        guard bytes.count >= 2 else { return bytes }
        let isBigEndian: Bool
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0, _): isBigEndian = true
        case (0xFF, 0xFE), (_, 0): isBigEndian = false
        default: return bytes
        }
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        let isMarked = units.first == 0xFEFF
        guard bytes.count.isMultiple(of: 2),
            let text = String(validating: units.dropFirst(isMarked ? 1 : 0), as: UTF16.self)
        else { throw HapticsError(.invalid, "the file", "not valid UTF-16") }
        return Array(text.utf8)
    }
}
