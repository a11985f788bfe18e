import Glibc

extension EventLoop {
    /// The time since the machine started, the time in which it was suspended included (`CLOCK_BOOTTIME`).
    public static var now: Duration { read(CLOCK_BOOTTIME) }

    /// The time that timers go by: it stands still while the machine is suspended, as `poll` does.
    static var monotonicNow: Duration { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return Duration(
            secondsComponent: Int64(time.tv_sec), attosecondsComponent: Int64(time.tv_nsec) * 1_000_000_000)
    }
}
