import BridgeCore
import DeviceKit
import EventLoop

/// The bridge's clocks, out of the loop: time since boot, which counts suspend, and the calendar.
struct LoopTime: TimeSource {
    let loop: EventLoop

    var now: Duration { EventLoop.now }

    var date: TimeStamp { .now }

    func sleep(until time: Duration) async throws { try await loop.sleep(until: time) }
}
