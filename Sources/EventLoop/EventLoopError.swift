import Glibc

/// Says which system call an event loop could not start without.
public struct EventLoopError: Error, Hashable, CustomStringConvertible {
    /// The system call that failed, such as `pipe`.
    public let call: String
    /// Its error number.
    public let errno: CInt

    /// Describes the failed call.
    public init(call: String, errno: CInt) {
        self.call = call
        self.errno = errno
    }

    /// The failed call and the system's words for the error.
    public var description: String {
        "The event loop could not start: \(call): \(String(cString: strerror(errno)))"
    }
}
