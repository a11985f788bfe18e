import JSON

extension UpgradeProgress {
    /// The lines for users at the end of an upgrade.
    ///
    /// - Parameter fleet: The fleet at the end.
    func summary(_ plan: UpgradePlan, _ fleet: FleetSnapshot) -> [String] {
        func names(_ hosts: [UpgradePlan.Host]) -> String { hosts.map(\.bridge).joined(separator: " ") }
        let done = plan.waves.prefix(completed).flatMap { $0 }
        var lines: [String] = []
        if !isComplete {
            lines.append(
                "\(isInterrupted ? "Interrupted" : "Stopped") in wave \(wave) of \(plan.waves.count).")
        }
        if !done.isEmpty { lines.append("upgraded to \(plan.version): \(names(done))") }
        guard !isComplete else { return lines }

        let failed = Set(rollbackFailures.map(\.bridge))
        for host in started {
            let bridge = fleet.bridges[host.bridge]
            let state = bridge?.isOnline == true ? bridge?.info["version"]?.string ?? "?" : "offline"
            if isInterrupted || failed.contains(host.bridge) {
                lines.append("not finished: \(host.bridge): now \(state), before \(host.former)")
            } else {
                lines.append("rolled back to \(host.former): \(host.bridge)")
            }
        }
        let later = plan.waves.dropFirst(completed).flatMap { $0 }.filter { !started.contains($0) }
        if !later.isEmpty { lines.append("not upgraded: \(names(later))") }
        lines += draining.map {
            "may be draining: \($0.bridge); a restart ends draining, or tactile-bridge fleet undrain \($0.bridge)"
        }
        return lines
    }
}
