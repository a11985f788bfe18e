import JSON

/// A value of a file with its path, so that errors can name their location.
struct Node {
    let value: JSON.Value
    let path: String

    /// The members of an object.
    func object() throws(HapticsError) -> JSON.Object {
        guard let object = value.object else { throw mismatch("an object") }
        return object
    }

    /// The elements of an array with at most `limit` elements.
    func elements(limit: Int) throws(HapticsError) -> [Node] {
        guard let elements = value.array else { throw mismatch("an array") }
        guard elements.count <= limit else {
            throw HapticsError(.outOfRange, path, "at most \(limit) elements, got \(elements.count)")
        }
        return elements.enumerated().map { Node(value: $1, path: "\(path)[\($0)]") }
    }

    /// A member; nil if it is absent.
    func member(_ key: String) throws(HapticsError) -> Node? {
        try object()[key].map { Node(value: $0, path: path.isEmpty ? key : "\(path).\(key)") }
    }

    /// A required member.
    func required(_ key: String) throws(HapticsError) -> Node {
        guard let member = try member(key) else {
            throw HapticsError(.missing, path.isEmpty ? key : "\(path).\(key)", "missing")
        }
        return member
    }

    func number() throws(HapticsError) -> Double {
        guard let number = value.double else { throw mismatch("a number") }
        return number
    }

    /// A number that must be within a range.
    func number(in range: ClosedRange<Double>) throws(HapticsError) -> Double {
        let number = try number()
        guard range.contains(number) else {
            throw HapticsError(
                .outOfRange, path,
                "\(Self.text(range.lowerBound))...\(Self.text(range.upperBound)), got \(value)")
        }
        return number
    }

    func text() throws(HapticsError) -> String {
        guard let text = value.string else { throw mismatch("a string") }
        return text
    }

    func mismatch(_ allowed: String) -> HapticsError {
        let text = value.description
        return HapticsError(.invalid, path, "\(allowed), got \(text.count <= 60 ? text : value.kind)")
    }

    /// `0`, or `0.5`.
    static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? number.description
    }
}
