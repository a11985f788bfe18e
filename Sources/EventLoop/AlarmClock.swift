import CLinux
import Glibc

/// Makes a descriptor readable at a moment of the time since boot, suspend included; belongs to the loop's thread.
///
/// `epoll_wait` counts its own time-out by a clock that stands still in suspend, so that a timer would be late by the
/// whole sleep of the machine.
struct AlarmClock: ~Copyable {
    let descriptor: CInt
    /// When it rings next; nil if it is not set.
    private var setting: Duration?

    init() throws(EventLoopError) {
        descriptor = timerfd_create(CLOCK_BOOTTIME, O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw EventLoopError(call: "timerfd_create", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Sees to it that it rings at a moment, or earlier: a setting that was not needed in the end is left, since a
    /// round too many costs less than a call for every timer that is moved.
    mutating func set(notAfter moment: Duration) {
        if let setting, setting <= moment { return }
        setting = moment
        let (seconds, attoseconds) = moment.components
        var value = itimerspec()
        value.it_value.tv_sec = Int(seconds)
        // Rounded up, so that no timer is found to be early; all zero would mean never.
        value.it_value.tv_nsec = Int((attoseconds + 999_999_999) / 1_000_000_000)
        if value.it_value.tv_nsec == 1_000_000_000 {
            value.it_value.tv_sec += 1
            value.it_value.tv_nsec = 0
        }
        timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &value, nil)
    }

    /// Notes that it has rung, and silences it.
    mutating func rang() {
        setting = nil
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
