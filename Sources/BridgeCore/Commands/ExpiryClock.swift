import DeviceKit
import Logging
import Synchronization

/// Decides whether the calendar is good enough to say that a command has expired.
final class ExpiryClock: Sendable {
    private let time: any TimeSource
    private let logger: Logger
    private let hasWarned = Mutex(false)

    init(_ time: any TimeSource, logger: Logger) {
        self.time = time
        self.logger = logger
    }

    /// Why a command with `expires` is refused whatever the calendar says: it can set something in motion, and the kernel
    /// takes the clock for not synchronised. Where the kernel does not tell, the clock counts as synchronised.
    ///
    /// Commands that cannot hurt are judged by the calendar all the same, with one warning in the process's life.
    func refusal(of command: Command) -> CommandError? {
        guard time.isSynchronised == false else { return nil }
        if command.traits.contains(.hazardous) {
            return CommandError(
                .expired,
                "expires: this host's clock is not synchronised, so it cannot be compared with the sender's: "
                    + "leave expires out, or synchronise the clock (timedatectl set-ntp true)",
                reason: "clock")
        }
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        if isFirst {
            logger.warning(
                "commands with expires are compared with a clock that is not synchronised; timedatectl set-ntp true"
            )
        }
        return nil
    }
}
