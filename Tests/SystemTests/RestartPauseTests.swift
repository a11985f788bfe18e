import Foundation
import HostTesting
import Testing

@Suite("The pause before the service is restarted")
struct RestartPauseTests {
    private let folder: TemporaryDirectory

    /// Replaces `sleep` by a script that prints the requested time and returns at once.
    init() throws {
        folder = try TemporaryDirectory()
        try "#!/bin/sh\necho \"slept $1\"\n".write(
            toFile: "\(folder.path)/sleep", atomically: true, encoding: .utf8)
        try TestProcess.run(["chmod", "+x", "\(folder.path)/sleep"])
    }

    /// Runs the script as the unit does; returns its output.
    @discardableResult
    private func run(_ deed: String, _ result: String = "", _ status: String = "") throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "deploy/systemd/restart-pause")
        return try TestProcess.run([
            "env", "PATH=\(folder.path):/usr/bin:/bin", "SERVICE_RESULT=\(result)", "EXIT_STATUS=\(status)",
            script.path, deed, folder.path,
        ])
    }

    private func fail(_ times: Int) throws {
        for _ in 0..<times { try run("count", "signal", "KILL") }
    }

    @Test("The pause grows with each consecutive failure, and stays below the start limit of 30 s")
    func growing() throws {
        #expect(try run("wait") == "")
        var pauses: [String] = []
        for _ in 1...8 {
            try fail(1)
            pauses.append(try run("wait"))
        }
        #expect(pauses == [0, 1, 3, 7, 15, 25, 25, 25].map { "slept \($0)" })
    }

    @Test(
        "A clean exit, and an exit after which systemd does not restart, reset the count",
        arguments: [("success", "0"), ("exit-code", "64"), ("exit-code", "78")])
    func anew(_ result: String, _ status: String) throws {
        try fail(5)
        try run("count", result, status)
        #expect(try run("wait") == "")
    }

    @Test("Five minutes without a failure reset the count; an exit code with a restart counts")
    func age() throws {
        try fail(5)
        try TestProcess.run(["touch", "-d", "6 minutes ago", "\(folder.path)/failures"])
        try run("count", "exit-code", "70")
        #expect(try run("wait") == "slept 0")
        try run("count", "watchdog", "ABRT")
        #expect(try run("wait") == "slept 1")
    }
}
