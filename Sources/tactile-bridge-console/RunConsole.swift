import BridgeConfiguration
import DeviceKit
import EventLoop
import Glibc
import HostServices
import Logging
import NIOCore
import NIOPosix
import UnixSignals

/// Runs the console until a signal stops the process.
///
/// - Parameters:
///   - token: The secret of the login `token`.
///   - folder: The folder of the token and the saved sessions.
///   - page: The folder of the page's files.
func runConsole(
    _ settings: Settings, families: [any DeviceFamily], token: String, folder: String, page: String,
    logger: Logger
) async throws {
    // A write to a closed socket must not end the process.
    signal(SIGPIPE, SIG_IGN)
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let loop = try EventLoop.start(name: "console")
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let sessionFile = SessionFile(
        settings.console.login == .token ? folder : nil, token: token, logger: logger)
    let hub = Hub(
        settings, families: families, token: Array(token.utf8), pageFolder: page, sessionFile: sessionFile,
        loop: loop, logger: logger)
    let channel = try await Listener(hub: hub, group: group).listen(settings.console.listen)
    await hub.start()
    logger.notice(
        "the console is ready", metadata: ["address": "\(settings.console.listen)", "page": "\(page)"])
    if !FileAccess.isThere("\(page)/index.html") {
        logger.warning(
            "the page's files are missing: set their folder with --page", metadata: ["page": "\(page)"])
    }
    let supervisor = Supervisor { Host.current.environment[$0] }
    supervisor?.tell(.ready)
    for await _ in signals { break }
    logger.notice("the console is stopping")
    supervisor?.tell(.stopping)
    try? await channel.close()
    await hub.finish()
    try? await group.shutdownGracefully()
    logger.notice("the console has stopped")
}
