import Glibc

/// The process that started the bridge and monitors it: systemd, through its notification socket (sd_notify(3)).
package struct Supervisor: Sendable {
    /// What the program reports to the supervisor.
    package enum State: Hashable, Sendable {
        /// The start is complete.
        case ready
        /// The bridge is stopping.
        case stopping
        /// The bridge is alive. If the supervisor receives no such report for the time ``Supervisor/watchdog``, the
        /// supervisor restarts the bridge.
        case alive
        /// The status of the bridge in one line, for users.
        case status(String)

        fileprivate var assignment: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            case .status(let text): "STATUS=\(text)"
            }
        }
    }

    /// The maximum interval between reports of ``State/alive``; nil without a watchdog.
    let watchdog: Duration?
    private let socket: String

    /// Finds the supervisor's socket (`NOTIFY_SOCKET`); nil if there is none.
    ///
    /// - Parameter environment: Returns the value of a variable: `NOTIFY_SOCKET`, `WATCHDOG_USEC`, `WATCHDOG_PID`.
    package init?(environment: (String) -> String?) {
        guard let socket = environment("NOTIFY_SOCKET"), ["/", "@"].contains(socket.first) else { return nil }
        self.socket = socket
        let isForUs = environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap { Int($0) } ?? 0
        watchdog = isForUs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Reports states in one message; the message is lost if no supervisor listens.
    package func tell(_ states: State...) {
        let text = states.map(\.assignment).joined(separator: "\n")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(socket.utf8)
        // The name of an abstract socket starts with a zero byte, which the variable contains as `@`.
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let descriptor = Glibc.socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        _ = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                Array(text.utf8).withUnsafeBytes {
                    sendto(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL), pointer, size)
                }
            }
        }
    }
}
