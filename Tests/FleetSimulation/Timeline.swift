/// Virtual time: what is to happen, in its order; of what happens at one moment, the first that was planned.
final class Timeline {
    private struct Entry {
        var time: Int
        var order: Int
        var action: () -> Void

        func isBefore(_ other: Entry) -> Bool {
            time == other.time ? order < other.order : time < other.time
        }
    }

    /// The time in microseconds.
    private(set) var now = 0
    /// How much has happened.
    private(set) var count = 0
    private var heap: [Entry] = []

    /// The time, as the machines take it.
    var moment: Duration { .microseconds(now) }

    /// Plans something.
    func at(_ time: Int, _ action: @escaping () -> Void) {
        count += 1
        heap.append(Entry(time: max(time, now), order: count, action: action))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Plans something for a time from now.
    func after(_ delay: Int, _ action: @escaping () -> Void) { at(now + delay, action) }

    /// Lets everything happen that is planned up to a time.
    func run(until end: Int) {
        while let first = heap.first, first.time <= end {
            now = first.time
            removeFirst()
            first.action()
        }
        now = max(now, end)
    }

    private func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2].lazy
            where child < self.heap.count && self.heap[child].isBefore(self.heap[least]) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}

/// Times in microseconds.
extension Int {
    static func seconds(_ seconds: Double) -> Int { Int(seconds * 1_000_000) }
    static func milliseconds(_ milliseconds: Int) -> Int { milliseconds * 1000 }
    var inSeconds: Double { Double(self) / 1_000_000 }
}
