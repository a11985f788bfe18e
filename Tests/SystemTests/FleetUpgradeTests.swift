import Glibc
import HostTesting
import JSON
import Testing

@Suite("An upgrade of a fleet in waves, on two hosts with one version", .serialized)
struct FleetUpgradeTests {
    private static let configuration = "bridge: { stats_interval_s: 1 }\n"

    /// Writes a shell script as a hook.
    private static func hook(_ bench: Bench, _ script: String) throws -> String {
        let path = try bench.folder.write("#!/bin/sh\n\(script)\n", to: "hook")
        try #require(chmod(path, 0o700) == 0)
        return path
    }

    private static func options(_ hook: String) -> [String] {
        ["upgrade", "--to", "9.9.9", "--hook", hook, "--wave", "100%", "--wait", "2s", "--timeout", "2s"]
    }

    private static func states(_ it: AirBench) throws -> [JSON.Value?] {
        try it.fleet(["ls", "--json"]).lines.map { $0["state"] }
    }

    @Test("A version that does not appear, or a hook that fails, is rolled back, and no host stays drained")
    func failure() throws {
        let it = try AirBench("belt", configuration: Self.configuration)
        let calls = it.bench.folder.file("calls")
        let nothing = try Self.hook(it.bench, #"echo "$FLEET_BRIDGE $2 $FLEET_ROLLBACK" >>\#(calls)"#)
        let dry = try it.fleet(Self.options(nothing) + ["--dry-run"])
        #expect(dry.status == 0 && dry.text.contains("-> 9.9.9") && access(calls, F_OK) != 0, "\(dry.text)")

        let absent = try it.fleet(Self.options(nothing))
        #expect(absent.status == 1)
        #expect(
            absent.text.contains("a: not online with version 9.9.9 within 2 s; found: "), "\(absent.text)")
        #expect(absent.text.contains("a: drained: belt") && absent.text.contains("Stopped in wave 1 of 1."))
        let lines = try TestProcess.run(["sort", calls]).split(separator: "\n")
        #expect(lines.count == 4 && lines.count { $0.hasSuffix(" 1") } == 2, "\(lines)")
        #expect(try Self.states(it) == ["online", "online"])
        try it.expectHolder("belt", .a)

        let broken = try it.fleet(Self.options(try Self.hook(it.bench, "[ $2 != 9.9.9 ] || exit 3")))
        #expect(broken.status == 1)
        #expect(broken.text.contains("hook: exit status 3"), "\(broken.text)")
        #expect(broken.text.contains("rolled back to"), "\(broken.text)")
        #expect(try Self.states(it) == ["online", "online"])
    }

    @Test(
        "An interrupt lets hooks finish, a second one terminates them; no host stays drained",
        arguments: [1, 2])
    func interrupted(times: Int) throws {
        let it = try AirBench("belt", configuration: Self.configuration)
        let end = it.bench.folder.file("end")
        let hook = try Self.hook(
            it.bench, "echo ready; until [ -e \(end) ]; do sleep 0.1; done; echo finished")
        var options = Self.options(hook)
        options[options.count - 1] = "60s"
        let program = try Program(
            "tactile-bridge", ["fleet"] + options,
            environment: [
                "TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1",
                "TACTILE_BRIDGE_MQTT_PORT": "\(it.bench.broker.port)",
            ])
        for _ in 0..<2 { try program.expectLine("| ready", within: .seconds(30)) }
        for _ in 0..<times {
            program.sendAlone(SIGINT)
            try program.expectLine("Interrupted: ", within: .seconds(10))
        }
        if times == 1 { try it.bench.folder.write("", to: "end") }
        var text = ""
        while let line = program.nextLine(within: .seconds(30)) { text += line + "\n" }
        #expect(program.wait() == 1)
        #expect(text.contains("| finished") == (times == 1), "\(text)")
        #expect(text.contains("terminated by the interrupt") == (times == 2), "\(text)")
        #expect(text.contains("Interrupted in wave 1 of 1."), "\(text)")
        #expect(try Self.states(it) == ["online", "online"])
    }

    @Test("A wave whose bridges publish metrics too rarely for its gates is not drained")
    func rareMetrics() throws {
        let it = try AirBench("belt", configuration: "bridge: { stats_interval_s: 3 }\n")
        let upgrade = try it.fleet(Self.options(try Self.hook(it.bench, "exit 1")))
        #expect(upgrade.status == 1)
        #expect(
            upgrade.text.contains("a: published no stats, or less often than every 2 s"), "\(upgrade.text)")
        #expect(!upgrade.text.contains("drained"), "\(upgrade.text)")
    }

    @Test(
        "An invalid option is reported with the values that are allowed",
        arguments: [
            (["--wave", "0%"], "--wave: found 0%; allowed: 1% to 100%"),
            (["--gate", "speed"], "--gate: found speed; allowed: one or more of errors,latency,offline"),
            (["--wait", "10"], "--wait: found 10; allowed: 1s to 24h"),
            (["--timeout", "2d"], "--timeout: found 2d; allowed: 1s to 24h"),
            (["--to", "-x"], "--to"), (["--to", "a b"], "--to: found a b; allowed: a version"),
            (["--hook", "/nowhere"], "--hook: found /nowhere: No such file or directory; allowed: the path"),
            (["--hook", "/tmp"], "--hook: found the folder /tmp; allowed: a program"),
            (["--rollback", "/etc/passwd"], "--rollback: found /etc/passwd: Permission denied"),
        ])
    func wrong(options: [String], message: String) throws {
        var all = ["--to": "9.9.9", "--hook": "/bin/true"]
        all[options[0]] = options[1]
        let program = try Program(
            "tactile-bridge", ["fleet", "upgrade"] + all.flatMap { [$0.key, $0.value] },
            environment: ["TACTILE_BRIDGE_MQTT_HOST": "127.0.0.1", "TACTILE_BRIDGE_MQTT_PORT": "1"])
        var text = ""
        while let line = program.nextLine(within: .seconds(30)) { text += line + "\n" }
        #expect(program.wait() == 64)
        #expect(text.contains(message), "\(text)")
    }
}
