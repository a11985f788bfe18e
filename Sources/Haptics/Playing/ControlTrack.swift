/// The values of one control over the time of a pattern.
struct ControlTrack {
    private let control: Control
    /// The changes, in the order of their start.
    private let changes: [Change]

    init(_ control: Control, _ changes: [Change]) {
        self.control = control
        // The sort is stable: if two changes are simultaneous, the change that is later in the file takes effect.
        self.changes = changes.filter { $0.control == control }.sorted { $0.start < $1.start }
    }

    /// Returns the value of the control at a time in seconds, which is set by the newest change.
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

    /// Returns the times, in milliseconds, at which the value can change: each start of a change, and each step of
    /// ``Timeline/grid`` within a slope. A slope ends at the start of the next change, so that the length of the
    /// pattern limits the number of times.
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
