import JSON

extension String {
    /// The text in one line with all invisible characters escaped (`\u{202E}`). Otherwise names of devices and messages
    /// of brokers, which are untrusted input, could forge a line or control the terminal.
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

    /// The lines of a text, each printable.
    package var printableLines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
    }
}
