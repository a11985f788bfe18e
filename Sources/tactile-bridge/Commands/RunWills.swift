import ArgumentParser
import BridgeConfiguration
import BridgeContract
import DBus
import EventLoop
import Glibc
import Guardian
import HostServices
import Logging

/// `tactile-bridge run-wills`
struct RunWills: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-wills",
        abstract: "Makes safe what a bridge left behind that died together with its guardian.",
        discussion: """
            A bridge that runs lays down what must be written to its devices if it dies: robots stop and lose \
            their power, vibrations end. This carries it out, for at most 10 s, closes the links, and takes away \
            what is done; after an orderly end there is none and nothing is done. It reads no configuration: \
            what it needs is in the folder. For systemd's ExecStopPost.

            Example:
              ExecStopPost=tactile-bridge run-wills ${RUNTIME_DIRECTORY}

            Exit codes: 0 all is safe, 69 something could not be made safe.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder in which the bridge laid the wills down.",
            discussion:
                "Without it: RUNTIME_DIRECTORY, else the bridge's state directory as the environment names it.",
            valueName: "directory"))
    var directory: String?

    func run() async throws {
        // The signals that stop a service must not interrupt this command.
        for number in [SIGTERM, SIGHUP, SIGPIPE] { signal(number, SIG_IGN) }
        let host = Host.current
        let isJournal = host.environment["JOURNAL_STREAM"] != nil
        let logger = LogControl(level: .info, format: isJournal ? .journald : .text).makeLogger()
        let named = directory ?? ""
        let file = WillFile(folder: named.isEmpty ? Self.folder(host) : named)
        let content: WillFile.Content?
        do { content = try file.read() } catch {
            throw CommandFailure(.unavailable, "the wills cannot be read: \(error)")
        }
        guard var content else { return }
        if content.unreadable > 0 {
            logger.error(
                "lines of the wills are not understood, and left out",
                metadata: ["lines": "\(content.unreadable)"])
        }
        let count = content.wills.count
        if count > 0 { content.wills = try await Self.carryOut(content, logger) }
        do { try file.write(content) } catch {
            logger.error("the wills that are left cannot be laid down", metadata: ["reason": "\(error)"])
        }
        guard content.wills.isEmpty else {
            throw CommandFailure(
                .unavailable,
                "not known to be safe, keep away from: \(content.wills.map(\.device).joined(separator: ", "))"
            )
        }
        guard count > 0 else { return }
        logger.warning("wills of a dead bridge carried out", metadata: ["devices": "\(count)"])
    }

    private static func folder(_ host: Host) -> String {
        host.runtimeDirectory ?? host.environment["TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY"]
            ?? host.stateDirectory
    }

    /// Carries out wills concurrently; returns the wills that failed.
    private static func carryOut(_ content: WillFile.Content, _ logger: Logger) async throws -> [LinkWill] {
        let loop = try EventLoop.start(name: "run-wills")
        defer { loop.stop() }
        return try await withTaskExecutorPreference(loop) {
            let connection: Connection
            do {
                connection = try await Connection.open(Address(content.bus), loop: loop, logger: logger)
            } catch {
                throw CommandFailure(.unavailable, "the wills could not be carried out: \(error)")
            }
            let writer = WillWriter(connection: connection, logger: logger)
            let end = EventLoop.now + GuardianOptions.timeUnderSystemd
            let failed = await withTaskGroup(of: LinkWill?.self) { group in
                for will in content.wills { group.addTask { await carryOut(will, until: end, writer) } }
                return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
            }
            await connection.close()
            return failed
        }
    }

    /// Carries out one will and closes the link; returns the will if it failed.
    private static func carryOut(
        _ will: LinkWill, until end: Duration, _ writer: WillWriter
    ) async -> LinkWill? {
        let outcome = await writer.carryOut(WillExecution(will.writes, end: end), of: will) { _ in true }
        if outcome != .absent { await writer.closeLink(of: will) }
        guard case .unconfirmed(let reason) = outcome else { return nil }
        writer.logger.error(
            "a device could not be made safe", metadata: ["device": "\(will.device)", "reason": "\(reason)"])
        return will
    }
}
