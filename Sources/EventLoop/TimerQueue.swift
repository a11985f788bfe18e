/// A priority queue of timers: a binary heap. Every timer stores its position in the heap, so that it can be canceled
/// quickly.
final class TimerQueue {
    private var heap: [LoopTimer] = []
    private var nextSequence: UInt64 = 0

    var count: Int { heap.count }
    var earliest: Duration? { heap.first?.deadline }

    func schedule(at deadline: Duration, handler: @escaping () -> Void) -> LoopTimer {
        let timer = LoopTimer(deadline: deadline, sequence: nextSequence, queue: self, handler: handler)
        nextSequence += 1
        timer.position = heap.count
        heap.append(timer)
        rise(from: heap.count - 1)
        return timer
    }

    func remove(_ timer: LoopTimer) {
        guard let position = timer.position else { return }
        timer.position = nil
        let last = heap.removeLast()
        guard last !== timer else { return }
        heap[position] = last
        last.position = position
        sink(from: position)
        rise(from: position)
    }

    /// Fires every timer that is due at `now`. Timers that the fired handlers schedule are not fired in this call.
    func fireDue(at now: Duration) {
        let limit = nextSequence
        while let first = heap.first, first.deadline <= now, first.sequence < limit {
            remove(first)
            first.fire()
        }
    }

    func removeAll() {
        while let last = heap.last { last.cancel() }
    }

    private func rise(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].isBefore(heap[parent]) else { return }
            exchange(child, parent)
            child = parent
        }
    }

    private func sink(from start: Int) {
        var parent = start
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[smallest]) {
                smallest = child
            }
            guard smallest != parent else { return }
            exchange(parent, smallest)
            parent = smallest
        }
    }

    private func exchange(_ first: Int, _ second: Int) {
        heap.swapAt(first, second)
        heap[first].position = first
        heap[second].position = second
    }
}
