import ArgumentParser
import FleetSimulation

/// The command `fleet-simulation`: fleets in virtual time.
@main
struct FleetSimulationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet-simulation",
        abstract: "Simulates fleets of hosts and devices in virtual time.",
        discussion: """
            The rules for the ownership of topics and the choice of a host are those of the real bridge. The radio, \
            the broker and the faults are simulated, and are the same for the same seed.
            """,
        subcommands: [Promises.self, Policies.self, Moves.self, Growth.self])
}

/// Looks after promises while everything goes wrong.
struct Promises: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Searches for seeds with which a promise is broken.",
        discussion: """
            Each seed is a small fleet for 200 seconds: hosts, devices, delay and faults depend on it. Exits with \
            status 1 if a promise was broken.
            """)

    @Option(help: ArgumentHelp("The first seed.", valueName: "number"))
    var from = 0
    @Option(help: ArgumentHelp("The number of seeds.", valueName: "number"))
    var seeds = 1000
    @Option(help: ArgumentHelp("Remove a rule; repeatable.", valueName: "rule"))
    var without: [BrokenRule] = []
    @Option(help: ArgumentHelp("Print the events of one device.", valueName: "device"))
    var tell: Int?

    func validate() throws {
        if from < 0 || seeds < 1 {
            throw ValidationError("--from: allowed: 0 or more; --seeds: allowed: 1 or more.")
        }
    }

    func run() throws {
        var tally = PromiseTally()
        for seed in from..<(from + seeds) {
            let simulation = Simulation(
                .faulty(seed: UInt64(seed)), seed: UInt64(seed), without: Set(without))
            if let tell { simulation.story = (tell, { print($0) }) }
            simulation.run(seconds: 200)
            for violation in tally.add(simulation) {
                let text = "\(violation.promise.rawValue), \(violation.text)"
                print("seed \(seed), \(Text.number(violation.seconds, 1)) s: \(text)")
            }
        }
        print(tally.summary)
        if tally.count > 0 { throw ExitCode.failure }
    }
}

extension BrokenRule: ExpressibleByArgument {}
