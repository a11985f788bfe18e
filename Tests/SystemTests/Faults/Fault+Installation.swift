import EventLoop
import Foundation
import Glibc
import HostTesting
import Testing

/// Faults of the Debian package while the robot drives. Each row boots a copy of this machine's system with
/// its own systemd, in a file system layer that is deleted afterwards: see `Tests/Package`.
extension Fault {
    static let installation: [Fault] = [
        Fault(
            .installation, "package removed and installed",
            holds: "the robot stands and no process is left; the service is enabled and started again",
            counted: "`dpkg -i` … the robot is `online`", within: .seconds(30)
        ) { try scene("reinstalled") },
        Fault(
            .installation, "upgrade with an invalid setting",
            holds: "the robot stands; `dpkg -i` succeeds, the package is installed, and it states what to do",
            counted: "`systemctl restart` with the corrected setting … the robot is `online`",
            within: .seconds(30)
        ) { try scene("refused") },
    ]

    /// The error of a row that cannot run on this machine; it states the reason.
    struct NotTried: Error {
        let reason: String
    }

    private static func scene(_ name: String) throws -> Duration {
        guard geteuid() == 0 else { throw NotTried(reason: "it needs root, for a systemd of its own") }
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Package/fault")
        let process = try TestProcess([script.path, Program.folder, name])
        var lines: [String] = []
        while let line = process.nextLine(within: .seconds(240)) { lines.append(line) }
        let said = lines.joined(separator: "\n")
        let status = process.end(with: nil)
        // Status 69: this machine lacks a requirement, which the output names.
        guard status != 69 else { throw NotTried(reason: said) }
        try #require(status == 0, "\(said)")
        let time = try #require(said.firstMatch(of: /recovered in (\d+) ms/), "\(said)")
        return .milliseconds(try #require(Int(time.1)))
    }
}
