import BridgeContract
import FleetSimulation
import Testing

@Suite("Fleets in virtual time")
struct FleetSimulationTests {
    private static func violations(_ seeds: Range<UInt64>, without rules: Set<BrokenRule> = []) -> [Checks
        .Violation]
    {
        seeds.flatMap { seed in
            let simulation = Simulation(.faulty(seed: seed), seed: seed, without: rules)
            simulation.run(seconds: 200)
            return simulation.checks.violations
        }
    }

    @Test(
        "With all rules every promise holds, whatever the faults",
        arguments: [0..<8, 8..<16, 16..<24, 24..<32])
    func promises(seeds: Range<UInt64>) {
        let violations = Self.violations(seeds)
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(
        "Each promise is broken without its rule",
        arguments: [
            (BrokenRule.yield, Checks.Promise.twoSpeakers, 0), (.epochs, .mute, 130), (.settling, .mute, 0),
            (.warden, .mute, 0), (.ownName, .mute, 48), (.challenge, .silentLink, 0),
            (.freshCommands, .motion, 0), (.promptCommands, .motion, 0), (.intentAge, .intent, 0),
        ])
    func rules(rule: BrokenRule, promise: Checks.Promise, first: Int) {
        let seeds = UInt64(first)..<UInt64(first) + 40
        let found = seeds.lazy.contains { seed in
            Self.violations(seed..<seed + 1, without: [rule]).contains { $0.promise == promise }
        }
        #expect(found, "without \(rule) nothing was broken of \(promise)")
    }

    private static func moves(_ seed: UInt64, without rules: Set<BrokenRule> = []) -> Simulation {
        var scenario = Scenario.carried(hosts: 4, devices: 8, walkers: 100, dwell: 60)
        scenario.moves.perHour = 3
        let simulation = Simulation(scenario, seed: seed, without: rules)
        simulation.run(seconds: 5000)
        return simulation
    }

    @Test("Devices that people carry move to better hosts, and no promise about moves is broken")
    func moves() {
        let simulations = (0..<3 as Range<UInt64>).map { Self.moves($0) }
        let violations = simulations.flatMap(\.checks.violations)
        #expect(violations.isEmpty, "\(violations)")
        #expect(simulations.allSatisfy { $0.measures.moves > 10 })
        let gaps = simulations.flatMap(\.measures.handovers).filter { $0.cause == .moved }.map(\.gap)
        #expect(Measures.quantile(0.95, of: gaps).map { $0 < 2 } ?? false)
    }

    @Test(
        "Each promise about moves is broken without its rule",
        arguments: [
            (BrokenRule.idle, Checks.Promise.movedInUse), (.moveMargin, .noBetter), (.offerAge, .noBetter),
            (.moveLimit, .flapping), (.moveCount, .flapping), (.moveOffers, .neglected),
        ])
    func moveRules(rule: BrokenRule, promise: Checks.Promise) {
        let found = (0..<8 as Range<UInt64>).lazy.contains { seed in
            Self.moves(seed, without: [rule]).checks.violations.contains { $0.promise == promise }
        }
        #expect(found, "without \(rule) nothing was broken of \(promise)")
    }

    @Test("The same seed produces the same run")
    func seed() {
        let counts = (0..<2).map { _ in
            let simulation = Simulation(.faulty(seed: 7), seed: 7)
            simulation.run(seconds: 100)
            return [simulation.eventCount, simulation.measures.claims, simulation.measures.links]
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0].allSatisfy { $0 > 0 })
    }

    @Test(
        "The faults have their effects: links are established, challenged and taken over; quiet periods are long enough"
    )
    func coverage() {
        var (links, challenges, motions, intents, calm, watched) = (0, 0, 0, 0, 0, 0)
        for seed in 0..<16 as Range<UInt64> {
            let simulation = Simulation(.faulty(seed: seed), seed: seed)
            simulation.run(seconds: 200)
            links += simulation.measures.links
            challenges += simulation.measures.challenges
            motions += simulation.measures.motions
            intents += simulation.measures.intents
            calm += simulation.checks.calm
            watched += simulation.checks.watched
        }
        #expect(links > 500)
        #expect(challenges > 20)
        #expect(motions > 500)
        #expect(intents > 20)
        #expect(calm * 4 > watched)
    }
}
