import EventLoop
import Glibc
import Logging
import ServiceLifecycle

/// Stops the process if its clean shutdown takes too long, for instance because a disk does not answer. A shutdown
/// makes the devices safe before everything else, so work that is unfinished when the process stops does not affect
/// their safety.
///
/// The guardian detects that its socket was closed without a message that announces a clean shutdown. It then makes the
/// devices safe that the bridge has not released.
struct ShutdownLimit: Service {
    /// The time limit: less than the unit's `TimeoutStopSec`.
    static let time = Duration.seconds(12)

    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        // The timer has its own thread, because the bridge's thread may end while a thread still waits for the disk.
        let loop = try EventLoop.start(name: "shutdown-limit")
        loop.execute {
            _ = loop.schedule(after: Self.time) {
                logger.error(
                    "the shutdown takes too long, perhaps because of a disk: the process exits now",
                    metadata: ["elapsed_s": "\(Int(Self.time / .seconds(1)))"])
                _exit(EXIT_FAILURE)
            }
        }
    }
}
