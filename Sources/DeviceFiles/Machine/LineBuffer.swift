/// Collects received bytes until they form complete lines of text.
struct LineBuffer: Hashable, Sendable {
    private let lines: CharacteristicEntry.Lines
    private var bytes: [UInt8] = []
    /// Whether the current line exceeds the maximum length, so that its remaining bytes are skipped.
    private var isOverlong = false

    init(_ lines: CharacteristicEntry.Lines) { self.lines = lines }

    /// Whether an incomplete line is buffered.
    var isPending: Bool { !bytes.isEmpty || isOverlong }

    /// Appends bytes.
    ///
    /// - Returns: The completed lines; nil for a line that is too long.
    mutating func take(_ new: [UInt8]) -> [[UInt8]?] {
        var whole: [[UInt8]?] = []
        for byte in new {
            bytes.append(byte)
            if let end = lines.end, byte == end.last, bytes.count >= end.count,
                bytes.suffix(end.count).elementsEqual(end)
            {
                bytes.removeLast(end.count)
                whole.append(finish())
            } else if bytes.count > CharacteristicEntry.Lines.limit + (lines.end?.count ?? 0) {
                isOverlong = true
                // Of an overlong line, only the last bytes are kept, because they may be the first bytes of the line
                // end.
                bytes = Array(bytes.suffix(max(0, (lines.end?.count ?? 1) - 1)))
            }
        }
        return whole
    }

    /// Completes the current line, after its line end or after a pause in which the device sent no more bytes.
    mutating func finish() -> [UInt8]? {
        defer { (bytes, isOverlong) = ([], false) }
        guard !isOverlong else { return nil }
        return bytes.filter { $0 != 0x0D }
    }
}
