package import BridgeContract
package import DeviceKit
import Logging

/// Decides whether the system clock is reliable enough to refuse a command as expired.
package struct ExpiryClock {
    package let time: any TimeSource
    /// A callback for each command that is checked although the clock is not synchronized, so that the bridge can warn.
    package var unsynchronised: () -> Void

    package init(time: any TimeSource, unsynchronised: @escaping () -> Void) {
        self.time = time
        self.unsynchronised = unsynchronised
    }

    /// Returns the error for a command with `expires` that can start a motion, if the kernel reports that the clock is
    /// not synchronized; nil otherwise. If the kernel reports nothing, the clock counts as synchronized.
    ///
    /// Harmless commands are checked with the unsynchronized clock.
    package func refusal(of command: Command) -> CommandError? {
        // A stop is obeyed at any time.
        guard !command.traits.contains(.stop), time.isSynchronised == false else { return nil }
        guard command.traits.contains(.hazardous) else {
            unsynchronised()
            return nil
        }
        return CommandError(
            .clock,
            "expires: this host's clock is not synchronized, so it cannot be compared with the sender's: omit "
                + "expires, or synchronize the clock (timedatectl set-ntp true)")
    }
}
