import DBus
import EventLoop

/// Who asks for discovery, and how far it is on each adapter; belongs to the loop's thread.
struct DiscoveryTable {
    /// Discovery on one adapter.
    struct Entry {
        var control = DiscoveryControl()
        var timer: LoopTimer?
        var silence: SilenceWatch
        var silenceTimer: LoopTimer?

        init(_ limits: Limits) {
            silence = SilenceWatch(first: limits.silence, longest: limits.longestSilence)
        }
    }

    /// The numbers of the tokens that are not ended.
    var tokens: Set<UInt64> = []
    var adapters: [ObjectPath: Entry] = [:]

    /// bluetoothd is gone, and discovery with it; the tokens stay.
    mutating func serviceLost() {
        for entry in adapters.values {
            entry.timer?.cancel()
            entry.silenceTimer?.cancel()
        }
        adapters = [:]
    }
}
