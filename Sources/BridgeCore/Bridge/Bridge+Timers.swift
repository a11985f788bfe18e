import BridgeContract
import BridgeParts

// What the bridge does when one of its timers expires.
extension Bridge {
    func startTimer(_ timer: BridgeTimer, at deadline: Duration) {
        timers.start(timer, at: deadline, on: ports.time, clockCalls)
    }

    private var clockCalls: @Sendable () -> Void {
        { [weak self] in self?.assumeIsolated { $0.clockCalled() } }
    }

    private func clockCalled() {
        for ticket in timers.rang(at: ports.time.now) where timers.take(ticket) { ranOut(ticket.key) }
        timers.goOn(on: ports.time, clockCalls)
    }

    private func ranOut(_ timer: BridgeTimer) {
        switch timer {
        case .permit: endPermit(radio.state.isReady ? .time : .noAdapter)
        case .stats: statsAreDue()
        case .heartbeat: beat()
        case .intake: intakeIsDue()
        case .echo: updateEchoes()
        case .marker: sendMarker()
        case .renewal: renewNow()
        case .patience:
            reconsiderOwnerships()
            shareProxies()
            expectOrphans()
            clearStaleTopicsIfKnown()
        case .orphans: orphansAreDue()
        case .announcements: announcementsAreDue()
        case .families: reviewNames()
        case .twin: twinTimeIsOver()
        case .answer: answerPeers()
        case .saving: savingIsDue()
        case .recording: recordingIsDue()
        case .scan: scansAreDue()
        case .reports: reportDevicesInTime()
        case .groups: reportGroupsInTime()
        case .rest: restIsDue()
        case .log: logIsDue()
        case .proxies: shareProxies()
        }
    }
}
