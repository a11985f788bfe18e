import EventLoop
import Glibc
import Logging
import ServiceLifecycle

/// Ends the process if its orderly end takes too long, as behind a disk that does not answer: what is left to do then is no
/// device's safety, which comes first.
///
/// The guardian finds the line closed without a goodbye, and looks after what the bridge has not let go.
struct ShutdownLimit: Service {
    /// Less than the unit's `TimeoutStopSec`.
    static let time = Duration.seconds(12)

    let logger: Logger

    func run() async throws {
        try await gracefulShutdown()
        // A thread of its own, since the bridge's may have ended before the disk's.
        let loop = try EventLoop.start(name: "shutdown-limit")
        loop.execute {
            _ = loop.schedule(after: Self.time) {
                logger.error(
                    "the end takes too long: a disk may not answer; the process is ended as it is",
                    metadata: ["elapsed_s": "\(Int(Self.time / .seconds(1)))"])
                _exit(EXIT_FAILURE)
            }
        }
    }
}
