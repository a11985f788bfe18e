import Glibc

extension EventLoop {
    /// The time since boot, including suspend (`CLOCK_BOOTTIME`).
    public static var now: Duration { read(CLOCK_BOOTTIME) }

    /// The time since boot without suspend, only used to detect a suspend.
    static var awakeNow: Duration { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        // `Duration`'s initializer with components takes three times as long, and the time is read about thirty times
        // for each command to a device.
        return Duration(
            attoseconds: Int128(Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)) * 1_000_000_000)
    }
}
