import Bluetooth

/// The devices that have their names and wait to be looked after, some of them in each turn of the loop: a robot that
/// drives meanwhile is not kept waiting, however many come.
struct Arrivals {
    /// How many devices are taken up in one turn.
    static let turn = 16

    private var waiting: [FleetPlan.Member] = []
    /// How many of them are taken already.
    private var taken = 0
    /// What goes on when all are there.
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var isUnderWay = false

    /// Whether no device waits.
    var isEmpty: Bool { taken == waiting.count }

    /// Adds devices behind those that wait.
    mutating func add(_ members: [FleetPlan.Member]) { waiting += members }

    /// Lets those that wait go: a new plan says what becomes of them.
    mutating func clear() { (waiting, taken) = ([], 0) }

    /// Wants the turns.
    ///
    /// - Returns: Whether to begin with them.
    mutating func begin(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
        waiters.append(waiter)
        defer { isUnderWay = true }
        return !isUnderWay
    }

    /// Takes the devices of one turn; none when all are there.
    mutating func next() -> ArraySlice<FleetPlan.Member> {
        let members = waiting[taken...].prefix(Self.turn)
        taken = members.endIndex
        return members
    }

    /// Ends the turns.
    mutating func end() {
        for waiter in waiters { waiter.resume() }
        self = Arrivals()
    }
}
