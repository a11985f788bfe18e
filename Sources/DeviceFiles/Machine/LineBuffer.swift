/// Puts bytes together to lines.
struct LineBuffer: Hashable, Sendable {
    private let lines: CharacteristicEntry.Lines
    private var bytes: [UInt8] = []
    /// Whether the present line is too long, so that the rest of it is passed over.
    private var isOverlong = false

    init(_ lines: CharacteristicEntry.Lines) { self.lines = lines }

    /// Whether something waits for its end.
    var isPending: Bool { !bytes.isEmpty || isOverlong }

    /// Takes bytes.
    ///
    /// - Returns: The lines that are whole now; nil for one that is too long.
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
                // What may be the beginning of the end stays.
                bytes = Array(bytes.suffix(max(0, (lines.end?.count ?? 1) - 1)))
            }
        }
        return whole
    }

    /// Ends the present line, since nothing more comes.
    mutating func finish() -> [UInt8]? {
        defer { (bytes, isOverlong) = ([], false) }
        guard !isOverlong else { return nil }
        return bytes.filter { $0 != 0x0D }
    }
}
