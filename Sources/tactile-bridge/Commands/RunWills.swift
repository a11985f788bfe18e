import ArgumentParser
import BridgeConfiguration
import BridgeContract
import DBus
import EventLoop
import Glibc
import Guardian
import HostServices
import Logging

/// The command `tactile-bridge run-wills`.
struct RunWills: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-wills",
        abstract: "Makes devices safe after a crash of the bridge and its guardian.",
        discussion: """
            A running bridge stores wills: the writes that stop its robots, switch off their motors and end \
            vibrations if the bridge crashes. This command carries them out, for at most 10 s, disconnects the \
            devices, and deletes the wills that are done. After a clean exit there are none. It reads no \
            configuration: all that it needs is in the folder. For systemd's ExecStopPost.

            Example:
              ExecStopPost=tactile-bridge run-wills ${RUNTIME_DIRECTORY}

            Exit codes: 0 all devices are safe, 69 a device could not be made safe.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder with the bridge's wills.",
            discussion:
                "Default: RUNTIME_DIRECTORY, otherwise the bridge's state directory from the environment.",
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
                "invalid lines in the wills are ignored",
                metadata: ["lines": "\(content.unreadable)"])
        }
        let count = content.wills.count
        if count > 0 { content.wills = try await Self.carryOut(content, logger) }
        do { try file.write(content) } catch {
            logger.error(
                "the failed wills cannot be stored, so they are not carried out again",
                metadata: ["reason": "\(error)"])
        }
        guard content.wills.isEmpty else {
            throw CommandFailure(
                .unavailable,
                "these devices may not be safe, keep away from them: \(content.wills.map(\.device).joined(separator: ", "))"
            )
        }
        guard count > 0 else { return }
        logger.warning(
            "the wills of a crashed bridge were carried out: its devices were made safe",
            metadata: ["devices": "\(count)"])
    }

    private static func folder(_ host: Host) -> String {
        host.runtimeDirectory ?? host.environment["TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY"]
            ?? host.stateDirectory
    }

    /// Carries out the wills of devices (``LinkWill``) concurrently; returns the wills that failed.
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
