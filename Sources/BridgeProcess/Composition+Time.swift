import BridgeContract
import DeviceKit
import EventLoop
import Glibc
import HostServices

/// A call that is scheduled on the event loop.
private struct Scheduled: ScheduledCall {
    let timer: LoopTimer

    func cancel() { timer.cancel() }
}

/// The bridge's clocks, provided by the event loop: the time since boot, including suspend, and the calendar time.
struct LoopTime: TimeSource {
    let loop: EventLoop

    var now: Duration { EventLoop.now }

    var date: TimeStamp { .now }

    var utcOffset: Int {
        var (seconds, parts) = (time(nil), tm())
        return localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff / 60
    }

    var isSynchronised: Bool? { EventLoop.isCalendarSynchronised }

    func schedule(
        at moment: Duration, _ call: @escaping @Sendable () -> Void
    ) -> any ScheduledCall {
        Scheduled(timer: loop.schedule(after: moment - EventLoop.now, handler: call))
    }

    func onStall(_ handler: @escaping @Sendable (Stall) -> Void) {
        perform {
            loop.onStall(limit: Self.lateness) { stall in
                switch stall {
                case .late(let time): handler(.late(time))
                case .suspended(let time): handler(.suspended(time))
                }
            }
        }
    }

    func detectStalls(_ isWanted: Bool) { perform { loop.detectsStalls = isWanted } }

    func checkForStall() { loop.checkForStall() }

    /// The delay of the event loop above which moving devices are stopped.
    private static let lateness = Duration.milliseconds(250)

    private func perform(_ work: @escaping @Sendable () -> Void) {
        if loop.isIsolated { work() } else { loop.execute(work) }
    }
}
