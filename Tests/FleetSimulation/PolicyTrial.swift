import Claims

/// A policy for the choice of the host that connects, and its evaluation.
package struct PolicyTrial: Sendable {
    package var name: String
    package var policy: Policy

    /// The results of a trial.
    package struct Result: Sendable {
        package var links = 0
        package var attempts = 0
        package var gaps: [Double] = []
        package var lags: [Double] = []

        init(_ measures: Measures, cause: Measures.Cause) {
            (links, attempts) = (measures.links, measures.attempts)
            let handovers = measures.handovers.filter { $0.cause == cause }
            gaps = handovers.map(\.gap)
            lags = handovers.map(\.lag)
        }

        /// The number of attempts per link.
        package var connects: Double { links == 0 ? 0 : Double(attempts) / Double(links) }
    }

    init(_ name: String, _ change: (inout Policy) -> Void) {
        self.name = name
        policy = Policy()
        change(&policy)
    }

    /// The policies to compare. The one named "as the bridge does" is that of the running bridge.
    package static let all: [PolicyTrial] = {
        var trials = [
            PolicyTrial("at once, to the end") {
                $0.isAtOnce = true
                $0.isCancelled = false
            },
            PolicyTrial("at once") { $0.isAtOnce = true },
            PolicyTrial("as the bridge does") { _ in },
            PolicyTrial("waits only") { $0.hasOffers = false },
            PolicyTrial("offers, to the end") { $0.isCancelled = false },
        ]
        for pause in [0, 2, 10, 20, 30] {
            trials.append(
                PolicyTrial("\(pause) ms a decibel") { $0.tuning.pausePerDecibel = .milliseconds(pause) })
        }
        for jitter in [0, 20, 50] {
            trials.append(PolicyTrial("jitter \(jitter) ms") { $0.tuning.jitter = .milliseconds(jitter) })
        }
        for margin in [0, 2, 6] {
            trials.append(PolicyTrial("margin \(margin) dB") { $0.tuning.margin = margin })
        }
        for quiet in [500, 5000] {
            trials.append(PolicyTrial("quiet \(quiet) ms") { $0.tuning.quiet = .milliseconds(quiet) })
        }
        for rounds in [1, 10] {
            trials.append(PolicyTrial("quiet rounds \(rounds)") { $0.tuning.quietRounds = rounds })
        }
        return trials
    }()

    /// Simulates a walker between two hosts.
    package func twoHosts(seed: UInt64, seconds: Double) -> Result {
        var scenario = Scenario()
        scenario.policy = policy
        (scenario.hosts, scenario.devices, scenario.spacing, scenario.walkers) = (2, 1, 14, 100)
        let simulation = Simulation(scenario, seed: seed)
        simulation.run(seconds: seconds)
        return Result(simulation.measures, cause: .walked)
    }

    /// Simulates a site. The results are those of walks, of hosts that lose power, and of a restart of all bridges.
    package func site(
        hosts: Int, devices: Int, seed: UInt64, dying: Int
    ) -> (walks: Result, deaths: Result, restart: Result, events: Int) {
        var scenario = Scenario()
        scenario.policy = policy
        (scenario.hosts, scenario.devices, scenario.walkers) = (hosts, devices, 10)
        let simulation = Simulation(scenario, seed: seed)
        simulation.run(seconds: 30)
        simulation.resetMeasures()
        simulation.run(seconds: 40)
        let walks = Result(simulation.measures, cause: .walked)
        simulation.resetMeasures()
        for number in 0..<dying { simulation.powerOff(number * hosts / dying, seconds: 1000) }
        simulation.run(seconds: 20)
        let deaths = Result(simulation.measures, cause: .hostDied)
        simulation.resetMeasures()
        for host in 0..<hosts { simulation.kill(host, restartAfter: 1) }
        simulation.run(seconds: 40)
        let restart = Result(simulation.measures, cause: .dropped)
        return (walks, deaths, restart, simulation.eventCount)
    }
}
