import CLinux
import Glibc

extension EventLoop {
    /// Whether the kernel considers the calendar clock synchronized; nil if it does not report that, as in some
    /// containers.
    ///
    /// The state TIME_ERROR, 5, means that no time service adjusts the clock (adjtimex(2)).
    public static var isCalendarSynchronised: Bool? {
        var settings = [UInt8](repeating: 0, count: 256)
        let state = adjtimex(&settings)
        return state < 0 ? nil : state != 5
    }
}
