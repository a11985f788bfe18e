import Foundation
import HostTesting
import Testing

@Suite("The pause before the service is started once more")
struct RestartPauseTests {
    private let folder: TemporaryDirectory

    /// With a `sleep` that says for how long it was to sleep, and does not.
    init() throws {
        folder = try TemporaryDirectory()
        try "#!/bin/sh\necho \"slept $1\"\n".write(
            toFile: "\(folder.path)/sleep", atomically: true, encoding: .utf8)
        try TestProcess.run(["chmod", "+x", "\(folder.path)/sleep"])
    }

    /// Runs the script as the unit does; returns what it said.
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

    @Test("It grows with each failure in a row, and stays below the 30 s that a start may take")
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
        "An end in good order, and one upon which systemd does not start again, begin a new count",
        arguments: [("success", "0"), ("exit-code", "64"), ("exit-code", "78")])
    func anew(_ result: String, _ status: String) throws {
        try fail(5)
        try run("count", result, status)
        #expect(try run("wait") == "")
    }

    @Test("So do five minutes without a failure; a code that systemd starts again after counts")
    func age() throws {
        try fail(5)
        try TestProcess.run(["touch", "-d", "6 minutes ago", "\(folder.path)/failures"])
        try run("count", "exit-code", "70")
        #expect(try run("wait") == "slept 0")
        try run("count", "watchdog", "ABRT")
        #expect(try run("wait") == "slept 1")
    }
}
