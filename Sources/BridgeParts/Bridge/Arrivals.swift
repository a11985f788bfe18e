import Bluetooth

/// The devices that have their names and wait to be looked after, some of them in each turn of the loop: a robot that
/// drives meanwhile is not kept waiting, however many come.
package struct Arrivals {
    /// How many devices are taken up in one turn.
    package static let turn = 16

    private var waiting: [FleetPlan.Member] = []
    /// How many of them are taken already.
    private var taken = 0
    /// What goes on when all are there.
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var isUnderWay = false

    package init() {}

    /// Whether no device waits.
    package var isEmpty: Bool { taken == waiting.count }

    /// Adds devices behind those that wait.
    package mutating func add(_ members: [FleetPlan.Member]) { waiting += members }

    /// Lets those that wait go: a new plan says what becomes of them.
    package mutating func clear() { (waiting, taken) = ([], 0) }

    /// Wants the turns.
    ///
    /// - Returns: Whether to begin with them.
    package mutating func begin(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
        waiters.append(waiter)
        defer { isUnderWay = true }
        return !isUnderWay
    }

    /// Takes the devices of one turn; none when all are there.
    package mutating func next() -> ArraySlice<FleetPlan.Member> {
        let members = waiting[taken...].prefix(Self.turn)
        taken = members.endIndex
        return members
    }

    /// Ends the turns.
    package mutating func end() {
        for waiter in waiters { waiter.resume() }
        self = Arrivals()
    }
}
