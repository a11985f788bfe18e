/// Collects sentences about parts of a file that are changed or not played; each sentence names the location.
struct Remarks {
    /// The maximum number of sentences; a damaged file could have one for each of its values.
    private static let limit = 20

    private var sentences: [String] = []
    private var more = 0

    /// The sentences. If there were more than `limit`, the last sentence contains the number of omitted sentences.
    var list: [String] { more == 0 ? sentences : sentences + ["\(more) more remarks like these"] }

    mutating func add(_ sentence: String) {
        if sentences.count < Self.limit { sentences.append(sentence) } else { more += 1 }
    }

    /// Reads a number. A number out of range is changed to the nearer limit, and the change is added to the sentences.
    mutating func number(_ node: Node, clampedTo range: ClosedRange<Double>) throws(HapticsError) -> Double {
        let number = try node.number()
        guard !range.contains(number) else { return number }
        let nearest = min(max(number, range.lowerBound), range.upperBound)
        add("\(node.path): \(node.value), changed to \(Node.text(nearest))")
        return nearest
    }
}
