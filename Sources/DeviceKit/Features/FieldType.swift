/// The type of a field, with its limits.
public indirect enum FieldType: Hashable, Sendable {
    /// `true` or `false`, and the words that ``TruthWords`` reads.
    case boolean
    /// A whole number within limits, both included.
    case integer(ClosedRange<Int>)
    /// A number within limits, both included.
    case number(ClosedRange<Double>)
    /// An angle in degrees, clockwise, 0 to 360; 360 is read as 0.
    case angle
    /// One of these words.
    case choice([String])
    /// Any text, with limits for its length in bytes of UTF-8.
    case text(ClosedRange<Int>)
    /// Text of a certain form, with limits for its length in bytes of UTF-8.
    case form(TextForm, ClosedRange<Int>)
    /// A time stamp (RFC 3339).
    case time
    /// An array of values of one type.
    case list(FieldType, count: ClosedRange<Int>)
    /// An object with declared keys.
    case object([Field])
    /// An object with any keys, whose values have one type.
    case map(FieldType)
    /// A value of one of these types.
    case either([FieldType])
    /// Any JSON value. The code that uses the field checks it.
    case any

    /// The allowed values, as error messages and the reference show them: `0 to 360`, `one of on off`, …
    public var allowed: String {
        switch self {
        case .boolean: "true or false"
        case .integer(let range):
            range.upperBound == .max
                ? "a whole number from \(range.lowerBound)"
                : "a whole number \(range.lowerBound)...\(range.upperBound)"
        case .number(let range): "\(Self.text(range.lowerBound))...\(Self.text(range.upperBound))"
        case .angle: "0 to 360"
        case .choice(let words): words.count == 1 ? words[0] : "one of \(words.joined(separator: " "))"
        case .text(let range):
            if range.upperBound == .max {
                "text"
            } else if range.count == 1 {
                "text of \(range.lowerBound) bytes"
            } else {
                "text of \(range.lowerBound)...\(range.upperBound) bytes"
            }
        case .form(let form, let range):
            form == .address
                ? form.allowed : "\(form.allowed), \(range.lowerBound)...\(range.upperBound) bytes"
        case .time: "a time stamp such as 2026-01-31T12:00:00.000Z"
        case .list(let type, let count):
            count.lowerBound == count.upperBound
                ? "a list of \(count.lowerBound) values, each \(type.allowed)"
                : "a list of \(count.lowerBound)...\(count.upperBound) values, each \(type.allowed)"
        case .object(let fields): "an object with \(fields.map(\.name).joined(separator: " "))"
        case .map(let type): "an object with any keys, each \(type.allowed)"
        case .either(let types): types.map(\.allowed).joined(separator: ", or ")
        case .any: "any JSON value"
        }
    }

    /// The allowed values, if `words` determines which words for true and false are allowed.
    func allowed(_ words: TruthWords) -> String {
        self == .boolean && words.isYesStrict
            ? "exactly on, true or 1, or any word for off" : allowed
    }

    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? number.description
    }
}
