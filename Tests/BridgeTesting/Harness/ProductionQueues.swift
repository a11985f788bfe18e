package import Bluetooth
import BridgeCore
package import DeviceKit

// The bridge's own queue of operations and its own timers. The harness knows no other order than theirs, and touches
// them only here.

/// One thing that a state machine asked of the link.
package enum LinkOperation: Hashable, Sendable {
    case write(Write)
    case read(CharacteristicID)
    case subscribe(CharacteristicID)
    case unsubscribe(CharacteristicID)

    /// The operation that an effect asks for; nil for an effect that asks nothing of the link.
    package init?(_ effect: Effect) {
        switch effect {
        case .write(let write): self = .write(write)
        case .read(let id): self = .read(id)
        case .subscribe(let id): self = .subscribe(id)
        case .unsubscribe(let id): self = .unsubscribe(id)
        default: return nil
        }
    }

    fileprivate init(_ operation: OperationQueue.Operation) {
        switch operation {
        case .write(let write): self = .write(write)
        case .read(let id): self = .read(id)
        case .subscribe(let id): self = .subscribe(id)
        case .unsubscribe(let id): self = .unsubscribe(id)
        }
    }

    fileprivate var queued: OperationQueue.Operation {
        switch self {
        case .write(let write): .write(write)
        case .read(let id): .read(id)
        case .subscribe(let id): .subscribe(id)
        case .unsubscribe(let id): .unsubscribe(id)
        }
    }

    /// Where to.
    package var characteristic: CharacteristicID { queued.characteristic }
    /// The priority of a write; that of every other operation is normal.
    package var priority: Write.Priority { queued.priority }
    /// Whether it writes.
    package var isWrite: Bool { queued.isWrite }
    /// Whether it starts at once, whatever else is under way: a stop that the device does not acknowledge.
    package var isUnstoppable: Bool { queued.isUnstoppable }
}

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
        queue.add(operation.queued).map { LinkOperation($0) }
    }

    /// Takes the operations that can start, each to be given back to ``finished(_:)``.
    package mutating func start() -> [LinkOperation] { queue.start().map { LinkOperation($0) } }

    /// Ends an operation that was started.
    package mutating func finished(_ operation: LinkOperation) { queue.finished(operation.queued) }
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

    private var queue = TimerQueue()

    package init() {}

    /// When the next timer runs out.
    package var next: Duration? { queue.next }

    package mutating func start(_ key: Key, at deadline: Duration) {
        queue.start(Self.queued(key), at: deadline)
    }

    package mutating func cancel(_ key: Key) { queue.cancel(Self.queued(key)) }

    /// Calls for each timer that has run out, in the bridge's order. One that an earlier one stopped or moved is left out.
    package static func fire<Owner>(
        at now: Duration, of owner: inout Owner, in timers: WritableKeyPath<Owner, Self>,
        _ body: (inout Owner, Key) -> Void
    ) {
        for ticket in owner[keyPath: timers].queue.due(at: now)
        where owner[keyPath: timers].queue.take(ticket) {
            switch ticket.key {
            case .machine(let name): body(&owner, .machine(name))
            default: body(&owner, .closing)
            }
        }
    }

    private static func queued(_ key: Key) -> TimerQueue.Key {
        switch key {
        case .machine(let name): .machine(name)
        case .closing: .closing
        }
    }
}
