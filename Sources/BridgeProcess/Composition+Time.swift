import BridgeCore
import DeviceKit
import EventLoop
import HostServices

/// The bridge's clocks, out of the loop: time since boot, which counts suspend, and the calendar.
struct LoopTime: TimeSource {
    let loop: EventLoop

    var now: Duration { EventLoop.now }

    var date: TimeStamp { .now }

    var isSynchronised: Bool? { EventLoop.isCalendarSynchronised }

    func sleep(until time: Duration) async throws { try await loop.sleep(until: time) }

    func onDisturbance(_ handler: @escaping @Sendable (BridgeCore.Disturbance) -> Void) {
        perform {
            loop.onDisturbance(limit: Self.lateness) { disturbance in
                switch disturbance {
                case .late(let time): handler(.late(time))
                case .suspended(let time): handler(.suspended(time))
                }
            }
        }
    }

    func watchLateness(_ isWanted: Bool) { perform { loop.setPulse(isWanted) } }

    func feelLateness() { loop.feelPulse() }

    /// From which lateness on what moves is stopped.
    private static let lateness = Duration.milliseconds(250)

    private func perform(_ work: @escaping @Sendable () -> Void) {
        if loop.isIsolated { work() } else { loop.execute(work) }
    }
}
