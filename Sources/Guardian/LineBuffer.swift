/// Cuts a stream of bytes into lines, however it was torn on its way.
struct LineBuffer: Sendable {
    /// A longer line is no message.
    static let maximumLength = 65_536

    private var rest: [UInt8] = []
    private var isSkipping = false

    /// Takes bytes and returns the lines that are complete now, without their breaks; what is not UTF-8 or too long
    /// is left out.
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
