import JSON

extension String {
    /// The text with everything escaped that cannot be seen (`\u{202E}`), and in one line: it could forge a line or
    /// command a terminal, and names of devices and words of brokers come from outside.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isInvisible) else { return self }
        var clean = ""
        for scalar in unicodeScalars {
            if scalar == "\n" {
                clean += " | "
            } else if scalar.isInvisible {
                clean += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                clean.unicodeScalars.append(scalar)
            }
        }
        return clean
    }

    /// The lines of a text, each of them printable.
    package var printableLines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
    }
}
