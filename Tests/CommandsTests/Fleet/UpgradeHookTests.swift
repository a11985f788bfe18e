import EventLoop
import Glibc
import HostTesting
import Testing

@testable import Commands

@Suite("The hook of an upgrade")
struct UpgradeHookTests {
    /// Runs a shell script as a hook.
    private static func run(
        _ script: String, limit: Duration = .seconds(60), isCanceled: () -> Bool = { false },
        onLine: (String) -> Void = { _ in }
    ) throws -> (failure: String?, lines: [String]) {
        var lines: [String] = []
        let hook = UpgradeHook(
            program: "/bin/sh", arguments: ["-c", script, "hook", "hall", "0.3.0"],
            environment: ["FLEET_BRIDGE": "hall-bridge", "PATH": "/usr/bin:/bin"], limit: limit)
        let failure = hook.run(isCanceled: isCanceled) {
            lines.append($0)
            onLine($0)
        }
        return (failure, lines)
    }

    @Test("It receives arguments and variables, and has neither input nor a terminal")
    func environment() throws {
        let (failure, lines) = try Self.run(
            """
            echo "$1 $2 $FLEET_BRIDGE"; cat; echo error >&2
            (: </dev/tty) 2>/dev/null || printf 'no terminal'
            """)
        #expect(failure == nil)
        #expect(lines == ["hall 0.3.0 hall-bridge", "error", "no terminal"])
    }

    @Test("A status, a signal and a missing program are failures with a reason")
    func failures() throws {
        let ended = try Self.run("echo out; exit 3")
        #expect(ended.failure == "exit status 3" && ended.lines == ["out"])
        #expect(try Self.run("kill -KILL $$").failure == "ended by signal 9")
        let missing = UpgradeHook(program: "/nowhere", arguments: [], environment: [:], limit: .seconds(1))
        let failure = missing.run(isCanceled: { false }, show: { _ in })
        #expect(failure == "/nowhere: No such file or directory")
    }

    @Test("It is terminated with its children at the time limit, even if it writes all the time")
    func limit() throws {
        #expect(try Self.run("sleep 600 & wait", limit: .seconds(1)).failure == "not finished within 1 s")
        let start = EventLoop.now
        let noisy = try Self.run("while :; do echo x; done", limit: .seconds(1))
        #expect(noisy.failure == "not finished within 1 s" && EventLoop.now - start < .seconds(30))
    }

    @Test("A second interrupt terminates it; a program that ignores SIGTERM is killed")
    func canceled() throws {
        var isRunning = false
        let result = try Self.run(
            "trap '' TERM; echo ready; while :; do sleep 600; done", isCanceled: { isRunning },
            onLine: { _ in isRunning = true })
        #expect(result.failure == "terminated by the interrupt")
    }

    @Test("It ends although a process that it started holds its output open")
    func background() throws {
        let (failure, lines) = try Self.run("setsid sleep 20 & echo $!")
        #expect(failure == nil && lines.count == 1)
        for pid in lines.compactMap(pid_t.init) { kill(pid, SIGKILL) }
    }

    @Test("A long line is cut into several")
    func long() throws {
        let (failure, lines) = try Self.run("head -c 10000 /dev/zero | tr '\\0' x; echo; echo; echo end")
        #expect(failure == nil && lines.map(\.count) == [4096, 4096, 1808, 3])
    }
}
