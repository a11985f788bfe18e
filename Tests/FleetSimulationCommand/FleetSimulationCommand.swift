import FleetSimulation

@main
struct Command {
    static func main() {
        let first = Int(CommandLine.arguments.dropFirst().first ?? "0") ?? 0
        let count = Int(CommandLine.arguments.dropFirst(2).first ?? "50") ?? 50
        var broken: Set<BrokenRule> = []
        if let rule = CommandLine.arguments.dropFirst(3).first.flatMap({ BrokenRule(rawValue: $0) }) { broken = [rule] }
        var kinds: [String: Int] = [:]
        var shown = 0, events = 0, two = 0, mute = 0, calm = 0, watched = 0
        let trace = CommandLine.arguments.contains("trace")
        for seed in first..<(first + count) {
            let simulation = Simulation(.faulty(seed: UInt64(seed)), seed: UInt64(seed), without: broken)
            if trace, let device = CommandLine.arguments.last.flatMap({ Int($0) }) { simulation.story = (device, { print($0) }) }
            for second in 0..<200 {
                simulation.run(seconds: 1)
                if simulation.eventCount > 300_000 { print("storm", seed, second); break }
            }
            events += simulation.eventCount
            two = max(two, simulation.checks.longestTwo)
            mute = max(mute, simulation.checks.longestMute)
            calm += simulation.checks.calm; watched += simulation.checks.watched
            for violation in simulation.checks.violations {
                kinds[violation.promise.rawValue, default: 0] += 1
                if shown < 20 { shown += 1; print(seed, simulation.scenario.delay.upperBound, violation.seconds, violation.promise.rawValue, violation.text) }
            }
        }
        print(kinds, "events", events, "two", two, "mute", mute, "calm", Double(calm) / Double(watched))
    }
}
