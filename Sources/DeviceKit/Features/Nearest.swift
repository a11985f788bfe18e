/// Finds the allowed word that a user probably meant by a mistyped word.
package enum Nearest {
    /// Returns the candidate that is most similar to a mistyped word; nil if none is similar.
    package static func word(to word: String, among candidates: some Sequence<String>) -> String? {
        let length = word.count
        let limit = max(1, length / 3)
        // Words whose lengths differ by more than the limit are skipped, because their distance is at least that
        // difference. This saves time, because a received word can have 60 kB.
        let near = candidates.lazy.filter { abs($0.count - length) <= limit }
            .map { ($0, distance(word.lowercased(), $0.lowercased())) }
            .filter { $0.1 <= limit }
        return near.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// Returns the last part of an error message about an unknown word: `did you mean vibrate? Allowed: pulse
    /// vibrate`.
    package static func advice(
        on word: String, among candidates: some Sequence<String>, allowed: String
    ) -> String {
        guard let near = self.word(to: word, among: candidates) else { return "allowed: \(allowed)" }
        return "did you mean \(near)? Allowed: \(allowed)"
    }

    /// Returns the number of letters to insert, remove, replace or swap with a neighbor, to turn one word into the
    /// other word.
    package static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            for column in 1...right.count {
                let isSame = left[row - 1] == right[column - 1]
                var cost = min(
                    last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1]
                {
                    cost = min(cost, beforeLast[column - 2] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
