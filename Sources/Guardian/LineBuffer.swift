/// Splits a stream of bytes into lines, whatever the sizes of the chunks in which the bytes arrive.
struct LineBuffer: Sendable {
    /// The maximum length of a line; longer lines are ignored.
    static let maximumLength = 65_536

    private var rest: [UInt8] = []
    private var isSkipping = false

    /// Adds bytes and returns the lines that are now complete, without their line breaks. Lines that are too long or
    /// not UTF-8 are ignored.
    mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == 0x0A {
                if !isSkipping, let line = String(validating: rest, as: UTF8.self) { lines.append(line) }
                rest.removeAll(keepingCapacity: true)
                isSkipping = false
            } else if rest.count < Self.maximumLength {
                rest.append(byte)
            } else {
                isSkipping = true
            }
        }
        return lines
    }
}
