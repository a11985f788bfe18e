import Bluetooth

/// The devices that have names and wait to be started. Each turn of the event loop starts at most ``turn`` devices. So
/// the control of a driving robot is not delayed, however many devices are added.
package struct StartQueue {
    /// The maximum number of devices started in one turn.
    package static let turn = 16

    private var waiting: [FleetPlan.Member] = []
    /// The number of devices already returned by ``next()``.
    private var taken = 0
    /// The callers that wait until all devices are started.
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var isUnderWay = false

    package init() {}

    package var isEmpty: Bool { taken == waiting.count }

    package mutating func add(_ members: [FleetPlan.Member]) { waiting += members }

    /// Removes the waiting devices. A new ``FleetPlan`` decides about them.
    package mutating func clear() { (waiting, taken) = ([], 0) }

    /// Requests turns of the event loop until all devices are started.
    ///
    /// - Returns: Whether to schedule the first turn; false if the turns have already started.
    package mutating func begin(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
        waiters.append(waiter)
        defer { isUnderWay = true }
        return !isUnderWay
    }

    /// Returns the devices of the next turn; empty when all are started.
    package mutating func next() -> ArraySlice<FleetPlan.Member> {
        let members = waiting[taken...].prefix(Self.turn)
        taken = members.endIndex
        return members
    }

    /// Resumes all waiters and resets the queue.
    package mutating func end() {
        for waiter in waiters { waiter.resume() }
        self = StartQueue()
    }
}
