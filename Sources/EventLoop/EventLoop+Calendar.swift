import CLinux
import Glibc

extension EventLoop {
    /// Whether the kernel takes the calendar's clock for synchronised with a better one; nil where it does
    /// not tell, as in some containers.
    ///
    /// The answer TIME_ERROR, 5, stands for a clock that no time service keeps right (adjtimex(2)).
    public static var isCalendarSynchronised: Bool? {
        var settings = [UInt8](repeating: 0, count: 256)
        let state = adjtimex(&settings)
        return state < 0 ? nil : state != 5
    }
}
