/// What a timer of the bridge is for.
enum BridgeTimer: Hashable, Sendable {
    /// The end of the time in which devices may join.
    case permit
    /// Figures are due.
    case stats
    /// Messages that came too often are heard.
    case pacing
    /// The next echo of the ones that are sent as long as a robot is connected.
    case echo
    /// Another echo has to prove what the broker had in store.
    case marker
    /// Stored words of bridges that did not repeat them count no more.
    case patience
    /// How this bridge stands to its devices is said again.
    case repetition
    /// What could not be kept is tried again.
    case saving
    /// What is said of all devices is said.
    case reports
}

// What the bridge does when a time has come.
extension Bridge {
    func startTimer(_ timer: BridgeTimer, at deadline: Duration) {
        timers.start(timer, at: deadline)
        setAlarm(by: deadline)
    }

    private func setAlarm(by moment: Duration) {
        alarm.set(by: moment, on: world.time) { [weak self] in self?.assumeIsolated { $0.alarmRang() } }
    }

    private func alarmRang() {
        alarm.rang()
        for ticket in timers.due(at: world.time.now) where timers.take(ticket) { ranOut(ticket.key) }
        if let next = timers.next { setAlarm(by: next) }
    }

    private func ranOut(_ timer: BridgeTimer) {
        switch timer {
        case .permit: permitTimedOut()
        case .stats: statsAreDue()
        case .pacing: routeDelayed()
        case .echo: echoIsDue()
        case .marker: sendMarker()
        case .patience: reconsiderOwnerships()
        case .repetition: repeatConnectionsNow()
        case .saving: savingIsDue()
        case .reports: reportDevicesInTime()
        }
    }
}
