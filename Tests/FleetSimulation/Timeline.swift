/// Virtual time: runs scheduled actions by time, and those of the same time in the order in which they were scheduled.
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
    /// The number of actions scheduled so far.
    private(set) var count = 0
    private var heap: [Entry] = []

    /// The time in the form that the state machines use.
    var moment: Duration { .microseconds(now) }

    /// Schedules an action at a time.
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

    /// Schedules an action after a delay.
    func after(_ delay: Int, _ action: @escaping () -> Void) { at(now + delay, action) }

    /// Runs all actions that are scheduled up to a time.
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
