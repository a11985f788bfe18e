import Synchronization

/// A thread-safe counter.
final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func add(_ number: Int) { count.add(number, ordering: .sequentiallyConsistent) }
}
