import BridgeCore
import DeviceKit
import EventLoop
import Glibc

/// The bridge's clocks, out of the loop: time since boot, which counts suspend, and the calendar.
struct LoopTime: TimeSource {
    let loop: EventLoop

    var now: Duration { EventLoop.now }

    var date: TimeStamp {
        var moment = timespec()
        clock_gettime(CLOCK_REALTIME, &moment)
        return TimeStamp(milliseconds: Int64(moment.tv_sec) * 1000 + Int64(moment.tv_nsec) / 1_000_000)
    }

    func sleep(until time: Duration) async throws { try await loop.sleep(until: time) }
}
