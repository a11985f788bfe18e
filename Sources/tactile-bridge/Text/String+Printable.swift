extension String {
    /// The text without control characters, which could forge a line or command a terminal: names of devices and
    /// words of brokers come from outside.
    var printable: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return self
        }
        var clean = ""
        for scalar in unicodeScalars {
            if scalar == "\n" {
                clean += " | "
            } else {
                let isControl = scalar.properties.generalCategory == .control
                clean.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
            }
        }
        return clean
    }
}
