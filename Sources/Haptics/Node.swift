import JSON

/// A value of a file with its path in the file, so that errors can name the location.
struct Node {
    let value: JSON.Value
    let path: String

    /// Returns the members of an object; throws an error for other values.
    func object() throws(HapticsError) -> JSON.Object {
        guard let object = value.object else { throw mismatch("an object") }
        return object
    }

    /// Returns the elements of an array; throws an error if there are more than `limit`.
    func elements(limit: Int) throws(HapticsError) -> [Node] {
        guard let elements = value.array else { throw mismatch("an array") }
        guard elements.count <= limit else {
            throw HapticsError(.outOfRange, path, "at most \(limit) elements, got \(elements.count)")
        }
        return elements.enumerated().map { Node(value: $1, path: "\(path)[\($0)]") }
    }

    /// Returns the member with a key; nil if it is absent.
    func member(_ key: String) throws(HapticsError) -> Node? {
        try object()[key].map { Node(value: $0, path: path.isEmpty ? key : "\(path).\(key)") }
    }

    /// Returns the member with a key; throws an error if it is absent.
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

    /// Returns a number; throws an error if it is outside a range.
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

    /// Returns the number as text, without a decimal point if it is whole: `0`, `0.5`.
    static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? number.description
    }
}
