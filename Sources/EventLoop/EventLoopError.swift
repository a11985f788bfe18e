import Glibc

/// The failure of a system call without which an event loop cannot start.
public struct EventLoopError: Error, Hashable, CustomStringConvertible {
    /// The system call that failed, such as `pipe`.
    public let call: String
    /// The error number of the call.
    public let errno: CInt

    /// Creates an error.
    public init(call: String, errno: CInt) {
        self.call = call
        self.errno = errno
    }

    /// The failed call and the system's error message.
    public var description: String {
        "The event loop could not start: \(call): \(String(cString: strerror(errno)))"
    }
}
