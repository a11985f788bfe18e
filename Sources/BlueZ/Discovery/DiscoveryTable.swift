import DBus
import EventLoop

/// The discovery requests, and the state of discovery on each adapter; belongs to the loop's thread.
struct DiscoveryTable {
    struct Entry {
        var control = DiscoveryControl()
        var timer: LoopTimer?
        var silence: SilenceWatch
        var silenceTimer: LoopTimer?

        init(_ limits: Limits) {
            silence = SilenceWatch(first: limits.silence, longest: limits.longestSilence)
        }
    }

    /// The numbers of the discovery requests (``DiscoveryToken``) that are active.
    var tokens: Set<UInt64> = []
    var adapters: [ObjectPath: Entry] = [:]

    /// Removes the state of all adapters after the loss of bluetoothd; the discovery requests remain.
    mutating func serviceLost() {
        for entry in adapters.values {
            entry.timer?.cancel()
            entry.silenceTimer?.cancel()
        }
        adapters = [:]
    }
}
