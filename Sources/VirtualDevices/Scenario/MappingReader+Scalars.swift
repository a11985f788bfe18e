import Bluetooth

extension MappingReader {
    mutating func integer(_ key: String, in range: ClosedRange<Int>) throws(ScenarioError) -> Int? {
        try scalar(key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            let number = text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
            return number.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func number(_ key: String, in range: ClosedRange<Double>) throws(ScenarioError) -> Double? {
        try scalar(key, expected: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
            Double(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func flag(_ key: String) throws(ScenarioError) -> Bool? {
        try scalar(key, expected: "true or false") { $0 == "true" ? true : $0 == "false" ? false : nil }
    }

    mutating func option<Option: RawRepresentable & CaseIterable>(
        _ key: String, _: Option.Type
    ) throws(ScenarioError) -> Option? where Option.RawValue == String {
        let words = Option.allCases.map(\.rawValue).joined(separator: ", ")
        return try scalar(key, expected: "one of \(words)") { Option(rawValue: $0) }
    }

    mutating func bytes(_ key: String, count: ClosedRange<Int>) throws(ScenarioError) -> [UInt8]? {
        let expected = "\(count.lowerBound) to \(count.upperBound) bytes in hexadecimal, such as \"34 00 00\""
        return try scalar(key, expected: expected) { text in
            Hex.bytes(text).flatMap { count.contains($0.count) ? $0 : nil }
        }
    }

    /// Reads a text of printable ASCII characters. The number of characters must be in `length`.
    mutating func text(_ key: String, length: ClosedRange<Int>) throws(ScenarioError) -> String? {
        let expected = "\(length.lowerBound) to \(length.upperBound) printable ASCII characters"
        return try scalar(key, expected: expected) { text in
            let isFine =
                length.contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            return isFine ? text : nil
        }
    }

    mutating func list<Value>(
        _ key: String, expected: String, _ parse: (String) -> Value?
    ) throws(ScenarioError) -> [Value]? {
        guard let node = node(key) else { return nil }
        guard case .sequence(let items) = node.content else { throw invalid(node, key, expected: expected) }
        var values: [Value] = []
        for item in items {
            guard case .scalar(let text) = item.content, let value = parse(text) else {
                throw invalid(item, key, expected: expected)
            }
            values.append(value)
        }
        return values
    }

    /// A duration such as `2s`, `300ms` or `1.5min`.
    mutating func duration(_ key: String, from minimum: Duration = .zero) throws(ScenarioError) -> Duration? {
        try scalar(key, expected: Self.expectedDuration(from: minimum)) { Self.duration($0, from: minimum) }
    }

    /// Reads a duration or `off`. The outer optional is nil if the key is absent, the inner optional is nil for `off`.
    mutating func optionalDuration(_ key: String, from minimum: Duration) throws(ScenarioError) -> Duration??
    {
        try scalar(key, expected: Self.expectedDuration(from: minimum) + ", or off") { text -> Duration?? in
            if text == "off" { return .some(.none) }
            return Self.duration(text, from: minimum).map { .some($0) }
        }
    }

    private static func expectedDuration(from minimum: Duration) -> String {
        let bound = minimum > .zero ? " of at least \(minimum / .milliseconds(1)) ms" : ""
        return "a time\(bound), such as 300ms, 2s or 1min"
    }

    private static func duration(_ text: String, from minimum: Duration) -> Duration? {
        let units: [(suffix: String, unit: Duration)] = [
            ("ms", .milliseconds(1)), ("min", .seconds(60)), ("s", .seconds(1)),
        ]
        guard let match = units.first(where: { text.hasSuffix($0.suffix) }),
            let number = Double(text.dropLast(match.suffix.count)), (0...86_400_000).contains(number)
        else { return nil }
        let duration = match.unit * number
        return duration >= minimum ? duration : nil
    }
}
