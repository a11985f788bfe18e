/// The result of running the examples of a device file.
package struct ExampleRun: Hashable, Sendable {
    /// A step whose result differs from the example.
    package struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// The line in the device file at which the step starts.
        package var line: Int
        /// The actual and the expected result.
        package var message: String

        /// `line 48: publishes: found …; the example expects …`
        package var description: String { "line \(line): \(message)" }
    }

    /// The number of examples in the file that were run.
    package var count = 0
    package var failures: [Failure] = []
    /// The parts of the file that no example reaches.
    package var unused: [Unused] = []

    /// Runs all examples of a file, each on a new device.
    ///
    /// - Parameter decrypt: The cipher for encrypted advertisements; nil if there is none.
    package init(_ file: DeviceFile, decrypt: Cipher? = nil) {
        let plan = FilePlan(file, decrypt: decrypt)
        var coverage = Coverage()
        for example in file.examples {
            count += 1
            var stage = ExampleStage(plan, coverage, example.device)
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
