import Testing

@testable import Commands

@Suite("The steps of an upgrade in waves")
struct UpgradeProgressTests {
    /// A step that fails with a bridge, or that a signal interrupts; it has the form `drain a b`, in a rollback
    /// `-drain a b`.
    enum Event: Sendable { case fails(String, with: String), isInterrupted(String) }

    /// The steps of a wave that succeeds.
    private static func wave(_ hosts: String) -> [String] {
        ["measure", "drain", "install", "return", "undrain", "check"].map { "\($0) \(hosts)" }
    }

    /// Carries out an upgrade of the hosts a, b and c, two in a wave.
    ///
    /// - Parameter started: The hosts for which the hook starts.
    private static func run(
        _ events: [Event], started: Set<String> = ["a", "b", "c"]
    ) throws -> (steps: [String], progress: UpgradeProgress, plan: UpgradePlan) {
        let plan = try UpgradePlan(
            to: "0.3.0", in: .hosts(2), of: UpgradePlanTests.fleet([("a", ""), ("b", ""), ("c", "")]))
        var progress = UpgradeProgress(plan)
        var steps: [String] = []
        while let step = progress.step {
            let bridges = step.hosts.map(\.bridge)
            let name = "\(step.isRollback ? "-" : "")\(step.action) \(bridges.joined(separator: " "))"
            steps.append(name)
            try #require(steps.count < 50)
            var result = UpgradeProgress.Result()
            if step.action == .install { result.started = started.intersection(bridges) }
            for event in events {
                switch event {
                case .fails(name, with: let bridge):
                    result.failures.append(.init(bridge: bridge, reason: "broken"))
                case .isInterrupted(name): result.isInterrupted = true
                default: break
                }
            }
            progress.finish(result)
        }
        return (steps, progress, plan)
    }

    private static func summary(_ run: (steps: [String], progress: UpgradeProgress, plan: UpgradePlan))
        -> [String]
    {
        run.progress.summary(run.plan, UpgradePlanTests.fleet([("a", ""), ("b", ""), ("c", "")]))
    }

    @Test("Without a failure, each wave is measured, drained, installed, undrained and checked")
    func success() throws {
        let run = try Self.run([])
        #expect(run.steps == Self.wave("a b") + Self.wave("c"))
        #expect(run.progress.isComplete && run.progress.draining.isEmpty)
        #expect(Self.summary(run) == ["upgraded to 0.3.0: a b c"])
    }

    @Test(
        "A failure before the hook only undrains; a later failure restores the former version",
        arguments: [
            ("measure", []), ("drain", ["-undrain a b"]),
            ("install", ["-drain a b", "-install a b", "-return a b", "-undrain a b"]),
            ("return", ["-drain a b", "-install a b", "-return a b", "-undrain a b"]),
            ("undrain", ["-drain a b", "-install a b", "-return a b", "-undrain a b"]),
            ("check", ["-drain a b", "-install a b", "-return a b", "-undrain a b"]),
        ] as [(String, [String])])
    func failure(action: String, then: [String]) throws {
        let run = try Self.run([.fails("\(action) a b", with: "b")])
        let wave = Self.wave("a b")
        let end = try #require(wave.firstIndex(of: "\(action) a b"))
        #expect(run.steps == Array(wave[...end]) + then)
        #expect(!run.progress.isComplete && run.progress.draining.isEmpty)
        #expect(run.progress.failures == [.init(bridge: "b", reason: "broken")])
        let summary = Self.summary(run)
        #expect(summary.first == "Stopped in wave 1 of 2.")
        #expect(summary.contains("rolled back to 0.2.0: a") == then.contains("-install a b"))
        #expect(summary.contains("not upgraded: a b c") != then.contains("-install a b"))
    }

    @Test("A failure in the second wave leaves the first wave upgraded")
    func second() throws {
        let run = try Self.run([.fails("check c", with: "c")])
        #expect(
            run.steps == Self.wave("a b") + Self.wave("c")
                + ["-drain c", "-install c", "-return c", "-undrain c"])
        #expect(
            Self.summary(run) == [
                "Stopped in wave 2 of 2.", "upgraded to 0.3.0: a b", "rolled back to 0.2.0: c",
            ])
    }

    @Test("Only hosts whose hook was started are rolled back, and all drained hosts are undrained")
    func partial() throws {
        let run = try Self.run([.fails("install a b", with: "a")], started: ["a"])
        #expect(run.steps.suffix(4) == ["-drain a", "-install a", "-return a", "-undrain a b"])
        #expect(
            Self.summary(run) == [
                "Stopped in wave 1 of 2.", "rolled back to 0.2.0: a", "not upgraded: b c",
            ])
    }

    @Test("A rollback continues with the other hosts, and reports those that it could not restore")
    func rollback() throws {
        let fails = Event.fails("check a b", with: "a")
        let run = try Self.run([fails, .fails("-drain a b", with: "b"), .fails("-install a b", with: "a")])
        #expect(run.steps.suffix(4) == ["-drain a b", "-install a b", "-return b", "-undrain a b"])
        #expect(
            Self.summary(run) == [
                "Stopped in wave 1 of 2.", "not finished: a: now 0.2.0, before 0.2.0",
                "rolled back to 0.2.0: b", "not upgraded: c",
            ])

        let both = try Self.run([
            fails, .fails("-install a b", with: "a"), .fails("-install a b", with: "b"),
            .fails("-undrain a b", with: "a"),
        ])
        #expect(both.steps.suffix(3) == ["-drain a b", "-install a b", "-undrain a b"])
        #expect(both.progress.draining.map(\.bridge) == ["a"])
        #expect(Self.summary(both).last?.hasSuffix("tactile-bridge fleet undrain a") == true)
    }

    @Test(
        "After a signal, no further step is carried out than undraining the hosts that are drained",
        arguments: [
            ("measure a b", []), ("drain a b", ["undrain a b"]), ("install a b", ["undrain a b"]),
            ("return a b", ["undrain a b"]), ("undrain a b", []), ("check a b", []),
            ("-drain a b", ["-undrain a b"]), ("-install a b", ["-undrain a b"]),
            ("-return a b", ["-undrain a b"]), ("-undrain a b", []),
        ] as [(String, [String])])
    func interrupted(step: String, then: [String]) throws {
        let run = try Self.run([.fails("check a b", with: "a"), .isInterrupted(step)])
        let index = try #require(run.steps.firstIndex(of: step))
        #expect(Array(run.steps[(index + 1)...]) == then)
        #expect(run.progress.isInterrupted && !run.progress.isComplete && run.progress.draining.isEmpty)
        #expect(Self.summary(run).first == "Interrupted in wave 1 of 2.")
    }
}
