/// A place with people who carry devices, and the evaluation of moves to better hosts.
package struct MoveTrial: Sendable {
    package var name: String
    package var scenario: Scenario

    /// The places to compare.
    package static let all = [
        MoveTrial(
            name: "walkers", scenario: .carried(hosts: 9, devices: 20, walkers: 100, dwell: 0)),
        MoveTrial(name: "office", scenario: .carried(hosts: 12, devices: 60, walkers: 100, dwell: 600)),
        MoveTrial(name: "hall", scenario: .carried(hosts: 50, devices: 1000, walkers: 20, dwell: 120)),
    ]

    /// Simulates the place.
    ///
    /// - Parameter advertises: Whether the devices advertise while they have a link; otherwise none moves.
    package func run(seed: UInt64, hours: Double, advertises: Bool) -> Simulation {
        var scenario = scenario
        if !advertises { scenario.beacons = 0 }
        let simulation = Simulation(scenario, seed: seed)
        // The first links are not those of the place.
        simulation.run(seconds: 60)
        simulation.resetMeasures()
        simulation.run(seconds: 3600 * hours)
        return simulation
    }
}
