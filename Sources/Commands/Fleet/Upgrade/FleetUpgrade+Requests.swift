import BridgeConfiguration
import BridgeContract
import EventLoop
import HostServices
import JSON
import Synchronization

extension FleetUpgrade {
    /// Sends a request to the bridge of a host.
    func ask(_ host: UpgradePlan.Host, _ request: String) async throws(CommandFailure) -> JSON.Object {
        var settings = settings
        settings.bridge.id = host.bridge
        return try await BridgeRequest(request, to: settings).send([:], on: loop)
    }

    /// Calls the hook for a host, and reports its output.
    ///
    /// - Returns: Why the hook failed; nil if it succeeded.
    func callHook(_ host: UpgradePlan.Host, _ step: UpgradeProgress.Step) async -> String? {
        let version = step.isRollback ? host.former : plan.version
        let hook = UpgradeHook(
            program: step.isRollback ? options.rollback : options.hook, arguments: [host.host, version],
            environment: [
                "FLEET_BRIDGE": host.bridge, "FLEET_HOST": host.host, "FLEET_ZONE": host.zone ?? "",
                "FLEET_VERSION": version, "FLEET_FORMER_VERSION": host.former,
                "FLEET_ROLLBACK": step.isRollback ? "1" : "",
            ], limit: options.timeout)
        let (interrupts, report, name) = (interrupts, report, host.host)
        // After the first signal, a hook that runs may finish: an interrupted installation can break a host.
        let failure: String? = await withCheckedContinuation { continuation in
            do {
                try loop.offload {
                    hook.run(isCanceled: { interrupts.count > 1 }, show: { report("\(name) | \($0)") })
                } then: {
                    continuation.resume(returning: $0)
                }
            } catch { continuation.resume(returning: "\(error)") }
        }
        return failure.map { "\(hook.program): \($0)" }
    }
}

/// The number of signals that asked to stop.
final class Interrupts: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    /// Adds a signal; returns the new number.
    func add() -> Int { number.add(1, ordering: .relaxed).newValue }
}
