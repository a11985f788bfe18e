import ArgumentParser
import FleetSimulation

/// Measures moves of devices to better hosts.
struct Moves: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures moves of connected devices to better hosts.",
        discussion: """
            For each place, with devices that advertise while they are connected, and with devices that do not. Moves, \
            losses of a connection, offers and claims are per device and hour. "3 dB" and "10 dB": the percentage of \
            the time at a host that is at most so much worse than the best host. "none": the percentage of the time \
            without a host. The last columns are the seconds without a host after a move: the median and the 95th \
            percentile. Exits with status 1 if a promise was broken.
            """)

    @Option(help: ArgumentHelp("The simulated hours.", valueName: "number"))
    var hours = 1.0
    @Option(help: ArgumentHelp("The seed.", valueName: "number"))
    var seed = 1
    @Option(help: ArgumentHelp("Only places with this text in their name.", valueName: "text"))
    var only: String?

    func validate() throws {
        if hours <= 0 || seed < 0 {
            throw ValidationError("--hours: allowed: more than 0; --seed: allowed: 0 or more.")
        }
    }

    func run() throws {
        print("                moves  losses  offers  claims   3 dB  10 dB   none   p50   p95")
        var isBroken = false
        for trial in MoveTrial.all where only.map({ trial.name.contains($0) }) ?? true {
            for advertises in [false, true] {
                let simulation = trial.run(seed: UInt64(seed), hours: hours, advertises: advertises)
                print(row(trial, simulation, advertises))
                for violation in simulation.checks.violations {
                    print("\(violation.promise.rawValue), \(violation.text)")
                    isBroken = true
                }
            }
        }
        if isBroken { throw ExitCode.failure }
    }

    private func row(_ trial: MoveTrial, _ simulation: Simulation, _ advertises: Bool) -> String {
        let measures = simulation.measures
        let deviceHours = Double(trial.scenario.devices) * hours
        let gaps = measures.handovers.filter { $0.cause == .moved }.map(\.gap)
        let losses = measures.handovers.count { $0.cause == .walked }
        let counts = [measures.moves, losses, measures.offers, measures.claims].map {
            Text.cell(Text.number(Double($0) / deviceHours, 2), 8)
        }
        let near = [3.0, 10.0].map { Text.number(Measures.percentage(of: measures.lags, upTo: $0), 1) }
        let none = Text.number(100 * Double(measures.withoutHost) / Double(max(1, measures.samples)), 2)
        let times = [0.5, 0.95].map { part in
            Text.cell(Measures.quantile(part, of: gaps).map { Text.number($0, 2) } ?? "-", 6)
        }
        let name = trial.name + (advertises ? ", moves" : "")
        return name + String(repeating: " ", count: max(0, 15 - name.count)) + counts.joined()
            + (near + [none]).map { Text.cell($0, 7) }.joined() + times.joined()
    }
}
