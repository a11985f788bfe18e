import FleetSimulation

/// What became of promises over many seeds.
struct PromiseTally {
    private(set) var count = 0
    private var broken: [Checks.Promise: Int] = [:]
    private var seeds = 0
    private var events = 0
    private var watched = 0
    private var calm = 0
    private var longestTwo = 0
    private var longestMute = 0
    private var links = 0
    private var challenges = 0
    private var motions = 0
    private var intents = 0

    /// Takes a simulation that is over.
    ///
    /// - Returns: What was broken in it.
    mutating func add(_ simulation: Simulation) -> [Checks.Violation] {
        let (checks, measures) = (simulation.checks, simulation.measures)
        seeds += 1
        events += simulation.eventCount
        watched += checks.watched
        calm += checks.calm
        longestTwo = max(longestTwo, checks.longestTwo)
        longestMute = max(longestMute, checks.longestMute)
        links += measures.links
        challenges += measures.challenges
        motions += measures.motions
        intents += measures.intents
        count += checks.violations.count
        for violation in checks.violations { broken[violation.promise, default: 0] += 1 }
        return checks.violations
    }

    /// All of it, in lines.
    var summary: String {
        let promises = Checks.Promise.allCases.map { "\($0.rawValue) \(broken[$0, default: 0])" }
        return """
            \(seeds) seeds, \(events) events, \(links) links, \(challenges) challenges,
            \(motions) motions, \(intents) tasks taken up
            Device seconds looked at: \(watched / 1_000_000), with no message under way \(calm / 1_000_000)
            Longest with two speakers \(seconds(longestTwo)) s, without any \(seconds(longestMute)) s,
            whatever was under way
            Broken: \(promises.joined(separator: ", "))
            """
    }

    private func seconds(_ microseconds: Int) -> String { Text.number(Double(microseconds) / 1_000_000, 1) }
}
