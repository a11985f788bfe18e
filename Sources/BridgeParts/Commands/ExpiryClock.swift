package import BridgeContract
package import DeviceKit
import Logging

/// Decides whether the calendar is good enough to say that a command has expired.
package struct ExpiryClock {
    package let time: any TimeSource
    /// Told of each command that is judged by a clock that is not synchronised.
    package var unsynchronised: () -> Void

    package init(time: any TimeSource, unsynchronised: @escaping () -> Void) {
        self.time = time
        self.unsynchronised = unsynchronised
    }

    /// Why a command with `expires` is refused whatever the calendar says: it can set something in motion, and the kernel
    /// takes the clock for not synchronised. Where the kernel does not tell, the clock counts as synchronised.
    ///
    /// Commands that cannot hurt are judged by the calendar all the same.
    package func refusal(of command: Command) -> CommandError? {
        // A stop is obeyed at any time.
        guard !command.traits.contains(.stop), time.isSynchronised == false else { return nil }
        guard command.traits.contains(.hazardous) else {
            unsynchronised()
            return nil
        }
        return CommandError(
            .clock,
            "expires: this host's clock is not synchronised, so it cannot be compared with the sender's: "
                + "leave expires out, or synchronise the clock (timedatectl set-ntp true)")
    }
}
