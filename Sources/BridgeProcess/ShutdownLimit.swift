import EventLoop
import Glibc
import Logging
import ServiceLifecycle

/// Stops the process if its clean shutdown takes too long, for instance because a disk does not answer. The safety of
/// devices comes first in a shutdown, so the remaining work does not concern it.
///
/// The guardian finds the socket closed without a goodbye, and handles the devices that the bridge has not released.
struct ShutdownLimit: Service {
    /// The time limit: less than the unit's `TimeoutStopSec`.
    static let time = Duration.seconds(12)

    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        // On its own thread, because the bridge's thread may end before that of the disk.
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
