/// What became of the examples of a file.
package struct ExampleRun: Hashable, Sendable {
    /// An example that did not do what it says.
    package struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// The line of the step.
        package var line: Int
        /// What was found and what the example says.
        package var message: String

        /// `line 48: publishes: found …; the example says …`
        package var description: String { "line \(line): \(message)" }
    }

    /// How many examples were played.
    package var count = 0
    /// What did not come as the examples say.
    package var failures: [Failure] = []
    /// What no example reaches.
    package var unused: [Unused] = []

    /// Plays all examples of a file, each on a fresh device.
    package init(_ file: DeviceFile) {
        let plan = FilePlan(file)
        var coverage = Coverage()
        for example in file.examples {
            count += 1
            var stage = ExampleStage(plan, coverage)
            stage.setUp()
            if let reason = stage.failure {
                failures.append(Failure(line: example.line, message: "the device is not ready: \(reason)"))
                continue
            }
            for (index, step) in example.steps.enumerated() {
                let next = index + 1 < example.steps.count ? example.steps[index + 1].action : nil
                stage.play(step, before: next)
                failures += stage.complaints(step).map { Failure(line: step.line, message: $0) }
            }
            coverage = stage.machine.coverage ?? coverage
        }
        unused = coverage.unused(of: file)
    }
}
