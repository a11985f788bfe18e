/// The number of hosts in a wave of an upgrade.
package enum WaveSize: Hashable, Sendable {
    case hosts(Int)
    /// A share of the bridges that are online, 1 to 100 %.
    case percent(Int)

    package static let allowed = "1% to 100%, or a number of hosts from 1 to 10000"

    /// Reads `10%` or `3`; nil if the text has another form or the number is out of range.
    package init?(_ text: String) {
        if text.hasSuffix("%"), let percent = Int(text.dropLast()), (1...100).contains(percent) {
            self = .percent(percent)
        } else if let hosts = Int(text), (1...10_000).contains(hosts) {
            self = .hosts(hosts)
        } else {
            return nil
        }
    }

    /// The number of hosts in a wave; at least 1.
    func count(of online: Int) -> Int {
        switch self {
        case .hosts(let count): count
        case .percent(let percent): max(1, online * percent / 100)
        }
    }
}

/// A check after each wave of an upgrade.
package enum UpgradeGate: String, Hashable, Sendable, CaseIterable {
    /// The bridges work as before: no restart, no new problem, no higher share of failed commands and writes.
    case errors
    /// The latencies that the bridges publish did not grow.
    case latency
    /// The devices that were online on the hosts of the wave are online, on any host.
    case offline

    package static let allowed = allCases.map(\.rawValue).joined(separator: ",")

    /// Reads a list such as `errors,offline`; nil if it is empty or contains an unknown gate.
    package static func list(_ text: String) -> [UpgradeGate]? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let gates = words.compactMap(UpgradeGate.init)
        return gates.count == words.count ? allCases.filter(gates.contains) : nil
    }
}

/// How an upgrade installs a version, and how it checks each wave.
package struct UpgradeOptions: Sendable {
    /// The range of ``wait`` and ``timeout``.
    package static let times = Duration.seconds(1)...Duration.seconds(86_400)
    package static let allowedTimes = "1s to 24h, such as 30s, 10m or 2h"

    /// The paths of the programs that install the new and the former version.
    package var hook: String
    package var rollback: String
    package var gates: [UpgradeGate]
    /// The time between the upgrade of a wave and the check of the gates.
    package var wait: Duration
    /// The time limit of a hook, and then of the bridge's return.
    package var timeout: Duration

    package init(
        hook: String, rollback: String, gates: [UpgradeGate], wait: Duration, timeout: Duration
    ) {
        self.hook = hook
        self.rollback = rollback
        self.gates = gates
        self.wait = wait
        self.timeout = timeout
    }

    /// Reads a time such as `30s`, `10m` or `2h`; nil if it has another form or is not in ``times``.
    package static func time(_ text: String) -> Duration? {
        let units = ["s": 1, "m": 60, "h": 3600]
        guard let unit = text.last.flatMap({ units[String($0)] }), let count = Int(text.dropLast()),
            (1...86_400).contains(count), times.contains(.seconds(count * unit))
        else { return nil }
        return .seconds(count * unit)
    }

    /// Whether the gates need the metrics that bridges publish on `stats`.
    var needsStats: Bool { gates.contains(.errors) || gates.contains(.latency) }
}
