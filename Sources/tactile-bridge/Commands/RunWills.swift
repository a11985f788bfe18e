import ArgumentParser
import BridgeCore
import DBus
import EventLoop
import Logging

/// `tactile-bridge run-wills`
struct RunWills: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run-wills",
        abstract: "Makes safe what a bridge left behind that died together with its guardian.",
        discussion: """
            A bridge that runs lays down what must be written to its devices if it dies: robots stop and lose \
            their power, vibrations end. This carries it out, closes the links, and takes the file away; after \
            an orderly end there is none and nothing is done. For systemd's ExecStopPost.

            Example:
              ExecStopPost=tactile-bridge run-wills
            """)

    @OptionGroup var source: ConfigurationOption

    func run() async throws {
        let loader = source.loader
        let settings = try loader.load().settings
        let logger = LogControl(level: settings.logLevel, format: settings.logFormat).makeLogger()
        let file = WillFile(folder: settings.runtimeDirectory(loader.host))
        let content: WillFile.Content?
        do { content = try file.read() } catch {
            throw CommandFailure(.unavailable, "the wills cannot be read: \(error)")
        }
        guard let content, !content.wills.isEmpty else { return file.remove() }
        let loop = try EventLoop.start(name: "run-wills")
        try await withTaskExecutorPreference(loop) {
            let connection: Connection
            do {
                connection = try await Connection.open(Address(content.bus), loop: loop, logger: logger)
            } catch {
                throw CommandFailure(.unavailable, "the wills could not be carried out: \(error)")
            }
            let writer = WillWriter(connection: connection, logger: logger)
            await writer.carryOut(content.wills.flatMap(\.writes))
            await writer.closeLinks(of: content.wills)
            await connection.close()
        }
        loop.stop()
        file.remove()
        logger.warning("wills of a dead bridge carried out", metadata: ["devices": "\(content.wills.count)"])
    }
}
