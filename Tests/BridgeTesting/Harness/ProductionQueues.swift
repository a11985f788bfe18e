package import Bluetooth
import BridgeContract
package import DeviceKit

// The bridge's own queue of operations and its own timers. The harness knows no other order than theirs, and touches
// them only here.

/// The operations that a device's state machine asked for, in the bridge's order.
package struct ProductionQueue: Sendable {
    private var queue = OperationQueue()

    /// How many operations of one priority may wait.
    package static let capacity = OperationQueue.capacity

    package init() {}

    /// Whether a write waits or is under way.
    package var hasWrites: Bool { queue.hasWrites }

    /// Adds an operation.
    ///
    /// - Returns: The operations that are given up for it.
    package mutating func add(_ operation: LinkOperation) -> [LinkOperation] {
        queue.add(operation)
    }

    /// Takes the operations that can start, each to be given back to ``finished(_:)``.
    package mutating func start() -> [LinkOperation] { queue.start() }

    /// Ends an operation that was started.
    package mutating func finished(_ operation: LinkOperation) { queue.finished(operation) }
}

extension OperationQueue {
    /// Takes all operations that can start now, in order.
    package mutating func start() -> [LinkOperation] {
        var started: [LinkOperation] = []
        while let operation = next() { started.append(operation) }
        return started
    }
}

/// The timers of a device's state machine, and the time that it has for its goodbye, in the bridge's order.
package struct ProductionTimers: Sendable {
    /// What a timer is for.
    package enum Key: Hashable, Sendable {
        /// The state machine started it.
        case machine(TimerName)
        /// The session closes.
        case closing
    }

    private var queue = Timers<Key>()

    package init() {}

    /// When the next timer runs out.
    package var next: Duration? { queue.next }

    package mutating func start(_ key: Key, at deadline: Duration) {
        queue.start(key, at: deadline)
    }

    package mutating func cancel(_ key: Key) { queue.cancel(key) }

    /// Calls for each timer that has run out, in the bridge's order. One that an earlier one stopped or moved is left out.
    package static func fire<Owner>(
        at now: Duration, of owner: inout Owner, in timers: WritableKeyPath<Owner, Self>,
        _ body: (inout Owner, Key) -> Void
    ) {
        for ticket in owner[keyPath: timers].queue.due(at: now)
        where owner[keyPath: timers].queue.take(ticket) {
            body(&owner, ticket.key)
        }
    }
}
