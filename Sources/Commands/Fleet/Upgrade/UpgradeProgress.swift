/// The steps of an upgrade in waves. The caller carries out each step and reports its result.
///
/// A wave: measure, drain, install, return, undrain, check. After a failure: drain, install the former version, return
/// and undrain, for the hosts whose installation was started. After an interrupt: undrain.
package struct UpgradeProgress: Sendable {
    enum Action: Hashable, Sendable {
        /// Record the metrics and the online devices of the hosts.
        case measure
        case drain
        /// Call the hook.
        case install
        /// Wait until the bridges are online with the version.
        case `return`
        case undrain
        /// Wait, then check the gates.
        case check
    }

    struct Step: Hashable, Sendable {
        var action: Action
        var hosts: [UpgradePlan.Host]
        /// Whether the hosts get their former version.
        var isRollback = false
    }

    /// A bridge with which a step failed, and the reason.
    struct Failure: Hashable, Sendable {
        var bridge: String
        var reason: String
    }

    /// The result of a step.
    struct Result: Sendable {
        var failures: [Failure] = []
        /// The bridges for which the hook was started, even if it failed.
        var started: Set<String> = []
        var isInterrupted = false
    }

    private let plan: UpgradePlan
    /// The number of waves that were completed.
    private(set) var completed = 0
    /// The step to carry out; nil at the end.
    private(set) var step: Step?
    /// Why the upgrade stopped; empty if no step failed.
    private(set) var failures: [Failure] = []
    /// The failures of the steps that restore the former version.
    private(set) var rollbackFailures: [Failure] = []
    private(set) var isInterrupted = false
    /// The hosts of the wave for which the hook was started.
    private(set) var started: [UpgradePlan.Host] = []
    /// The hosts that may be draining.
    private(set) var draining: [UpgradePlan.Host] = []

    init(_ plan: UpgradePlan) {
        self.plan = plan
        step = plan.waves.first.map { Step(action: .measure, hosts: $0) }
    }

    /// Whether every wave was upgraded.
    var isComplete: Bool { completed == plan.waves.count }

    /// The number of the current wave, starting with 1.
    var wave: Int { min(completed + 1, plan.waves.count) }

    /// Continues with the next step.
    mutating func finish(_ result: Result) {
        guard let done = step else { return }
        note(done, result)
        if isInterrupted {
            step = done.action == .undrain ? nil : undrainStep(isRollback: done.isRollback)
        } else if done.isRollback {
            step = rollbackStep(after: done.action)
        } else if !failures.isEmpty {
            step =
                started.isEmpty
                ? undrainStep(isRollback: true) : Step(action: .drain, hosts: started, isRollback: true)
        } else {
            step = nextStep(after: done)
        }
    }

    private mutating func note(_ done: Step, _ result: Result) {
        isInterrupted = isInterrupted || result.isInterrupted
        if !done.isRollback {
            failures += result.failures
        } else if done.action != .drain {
            // A bridge that cannot be drained gets its former version all the same.
            rollbackFailures += result.failures
        }
        switch done.action {
        case .drain: draining = done.hosts + draining.filter { !done.hosts.contains($0) }
        case .install where !done.isRollback:
            started = done.hosts.filter { result.started.contains($0.bridge) }
        case .undrain:
            let failed = Set(result.failures.map(\.bridge))
            draining.removeAll { !failed.contains($0.bridge) }
        default: break
        }
    }

    private mutating func nextStep(after done: Step) -> Step? {
        func step(_ action: Action) -> Step { Step(action: action, hosts: done.hosts) }
        switch done.action {
        case .measure: return step(.drain)
        case .drain: return step(.install)
        case .install: return step(.return)
        case .return: return step(.undrain)
        case .undrain: return step(.check)
        case .check:
            completed += 1
            started = []
            return isComplete ? nil : Step(action: .measure, hosts: plan.waves[completed])
        }
    }

    private func rollbackStep(after action: Action) -> Step? {
        switch action {
        case .drain: return Step(action: .install, hosts: started, isRollback: true)
        case .install:
            let failed = Set(rollbackFailures.map(\.bridge))
            let hosts = started.filter { !failed.contains($0.bridge) }
            return hosts.isEmpty
                ? undrainStep(isRollback: true) : Step(action: .return, hosts: hosts, isRollback: true)
        case .return: return undrainStep(isRollback: true)
        case .measure, .undrain, .check: return nil
        }
    }

    private func undrainStep(isRollback: Bool) -> Step? {
        draining.isEmpty ? nil : Step(action: .undrain, hosts: draining, isRollback: isRollback)
    }
}
