/// Numbers as a table shows them.
enum Text {
    /// A number with so many digits behind the point.
    static func number(_ value: Double, _ digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { value, _ in value * 10 }
        let whole = Int((value * scale).rounded())
        guard digits > 0 else { return String(whole) }
        let rest = String(whole % Int(scale))
        return "\(whole / Int(scale))." + String(repeating: "0", count: digits - rest.count) + rest
    }

    /// A cell of a table.
    static func cell(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
