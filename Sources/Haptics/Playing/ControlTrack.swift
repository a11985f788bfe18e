/// The value of one control over a pattern's time.
struct ControlTrack {
    private let control: Control
    /// In the order of their beginning.
    private let changes: [Change]

    init(_ control: Control, _ changes: [Change]) {
        self.control = control
        // Sorting is stable, so that of two changes at one moment the later one in the file counts.
        self.changes = changes.filter { $0.control == control }.sorted { $0.start < $1.start }
    }

    /// The value at a moment, in seconds: that of the newest change.
    func value(at moment: Double) -> Double {
        guard let change = newest(at: moment) else { return control.neutral }
        let range = control.range
        return min(max(change.value(at: moment), range.lowerBound), range.upperBound)
    }

    private func newest(at moment: Double) -> Change? {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].start <= moment { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? changes[low - 1] : nil
    }

    /// The moments, in milliseconds, between which the value is taken as one: where a change begins, and in slopes
    /// every step of the grid. A slope ends where the next change begins, so there are never more than the pattern is
    /// long.
    func edges(until length: Int) -> [Int] {
        let grid = Int(Timeline.grid / .milliseconds(1))
        var edges: [Int] = []
        for (index, change) in changes.enumerated() {
            let start = Self.milliseconds(change.start)
            guard start < length else { break }
            edges.append(start)
            guard case .curve(let points) = change.shape, points.count > 1, let last = points.last else {
                continue
            }
            let next = index + 1 < changes.count ? Self.milliseconds(changes[index + 1].start) : length
            let end = min(Self.milliseconds(change.time + last.time), next, length)
            guard end > start else { continue }
            edges += points.map { Self.milliseconds(change.time + $0.time) }.filter { $0 <= end }
            edges += stride(from: start, through: end, by: grid)
        }
        return edges
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }
}
