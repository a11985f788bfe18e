import DeviceKit

// Devices that are visited: the machine requests the disconnect when nothing is left to do.
extension FileMachine {
    static let visitTimer: TimerName = "visit"
    /// The time after which the session answers a command that waits for a visit.
    private static let patience = Duration.seconds(30)

    mutating func beginVisit(_ effects: inout Effects) {
        guard let visit = file.visit else { return }
        startTimer(Self.visitTimer, after: visit.limit, &effects)
        // Commands that are already answered are not written.
        for index in lanes.indices {
            lanes[index].waiting.removeAll { now - ($0.command?.arrival ?? now) >= Self.patience }
        }
    }

    /// Whether a visit waits for a notification of a characteristic: some state is read from it.
    func awaits(_ index: Int) -> Bool {
        plan.isVisited
            && plan.listeners[index].contains { plan.reports[$0.feature]?.entry.kind == .state }
    }

    /// Ends a visit that has exceeded its time limit.
    mutating func visitIsOver(_ effects: inout Effects) {
        switch phase {
        case .setup: setupFailed("the visit takes too long", &effects)
        case .online: close(&effects)
        case .offline, .closing: break
        }
    }

    /// Ends a visit when all values have arrived and no command is left.
    mutating func endVisitIfDone(_ effects: inout Effects) {
        guard phase == .online, unheard.isEmpty, reads.isEmpty, executions.isEmpty,
            identity.isComplete, lanes.allSatisfy({ $0.current == nil && $0.waiting.isEmpty })
        else { return }
        close(&effects)
    }
}
