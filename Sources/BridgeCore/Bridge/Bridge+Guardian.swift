import BridgeContract
import BridgeParts
import DeviceKit
import Logging

// The state of the guardian, the second process that makes devices safe if the bridge dies, and its actions in the
// bridge's place.
extension Bridge {
    func followGuardian() {
        ports.guardian.onEvent { [weak self] event in self?.assumeIsolated { $0.handle(event) } }
    }

    private func handle(_ event: GuardianEvent) {
        let isNews = guardian.take(event)
        switch event {
        case .running: break
        case .lost: for session in fleet.all { session.guardianLost() }
        case .guards(let device): for session in fleet.all { session.guarded(device) }
        case .ended(let device, let report): for session in fleet.all { session.ended(device, report) }
        }
        if isNews, broker.status.isConnected, !isStopping { reportInfo() }
    }

    /// Why connected devices that can hurt you take no motion commands; nil if each of them has a guardian.
    var guardianProblem: String? {
        let names = fleet.inOrder.filter(\.isUnguarded).map(\.name)
        guard !names.isEmpty else { return nil }
        let reason =
            guardian.isRunning
            ? "the guardian has not confirmed that it would stop the devices" : guardian.reason
        return
            "no guardian protects \(names.joined(separator: ", ")): commands that move them are rejected, because "
            + reason
    }
}
