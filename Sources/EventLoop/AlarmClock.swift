import CLinux
import Glibc

/// Makes a descriptor readable at a given time, which is counted since boot and includes suspend; belongs to the loop's
/// thread.
///
/// The timeout of `epoll_wait` uses a clock that stops during suspend, so a timer would be late by the duration of the
/// suspend.
struct AlarmClock: ~Copyable {
    let descriptor: CInt
    /// The time of the next alarm; nil if none is set.
    private var setting: Duration?

    init() throws(EventLoopError) {
        descriptor = timerfd_create(CLOCK_BOOTTIME, O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw EventLoopError(call: "timerfd_create", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Sets the alarm to a time, or keeps an earlier alarm. An alarm that is no longer needed remains set: an
    /// unnecessary round of the loop costs less than a system call for every moved timer.
    mutating func set(notAfter moment: Duration) {
        if let setting, setting <= moment { return }
        setting = moment
        let (seconds, attoseconds) = moment.components
        var value = itimerspec()
        value.it_value.tv_sec = Int(seconds)
        // The time is rounded up, so that no timer fires early. Zero would disarm the alarm.
        value.it_value.tv_nsec = Int((attoseconds + 999_999_999) / 1_000_000_000)
        if value.it_value.tv_nsec == 1_000_000_000 {
            value.it_value.tv_sec += 1
            value.it_value.tv_nsec = 0
        }
        timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &value, nil)
    }

    /// Clears the alarm after it has fired.
    mutating func rang() {
        setting = nil
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
