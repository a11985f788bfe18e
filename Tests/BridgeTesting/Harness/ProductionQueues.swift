package import Bluetooth
import BridgeContract
package import DeviceKit

// The bridge's own operation queue and timers. The harness uses no other order, and accesses them only here.

/// The operations that a device's state machine requested, in the bridge's order.
package struct ProductionQueue: Sendable {
    private var queue = OperationQueue()

    /// The maximum number of waiting operations of one priority.
    package static let capacity = OperationQueue.capacity

    package init() {}

    /// Whether a write waits or is in progress.
    package var hasWrites: Bool { queue.hasWrites }

    /// Adds an operation.
    ///
    /// - Returns: The operations that are dropped because of it.
    package mutating func add(_ operation: LinkOperation) -> [LinkOperation] {
        queue.add(operation)
    }

    /// Returns the operations that can start. Pass each to ``finished(_:)`` when it completes.
    package mutating func start() -> [LinkOperation] { queue.start() }

    /// Completes an operation.
    package mutating func finished(_ operation: LinkOperation) { queue.finished(operation) }
}

extension OperationQueue {
    /// Returns all operations that can start now, in order.
    package mutating func start() -> [LinkOperation] {
        var started: [LinkOperation] = []
        while let operation = next() { started.append(operation) }
        return started
    }
}

/// The timers of a device's state machine and the timeout of its last writes, in the bridge's order.
package struct ProductionTimers: Sendable {
    /// The purpose of a timer.
    package enum Key: Hashable, Sendable {
        /// A timer that the state machine started.
        case machine(TimerName)
        /// The timeout of a closing session.
        case closing
    }

    private var queue = Timers<Key>()

    package init() {}

    /// The time of the next timer; nil if none runs.
    package var next: Duration? { queue.next }

    package mutating func start(_ key: Key, at deadline: Duration) {
        queue.start(key, at: deadline)
    }

    package mutating func cancel(_ key: Key) { queue.cancel(key) }

    /// Calls a closure for each expired timer, in the bridge's order. A timer is skipped if an earlier closure
    /// stopped or moved it.
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
