import Glibc

/// A port of this host that accepts connections, for tests that check that a program does not connect.
public final class UnusedPort: Sendable {
    /// The port, on 127.0.0.1.
    public let number: UInt16
    private let listener: CInt

    /// Listens on a free port.
    public init() throws {
        number = try TestBroker.freePort()
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0, listen(listener, 8) == 0 else {
            close(listener)
            throw TestProcess.Failure(description: "cannot listen on port \(number): \(errno)")
        }
    }

    deinit { close(listener) }

    /// Whether a program has connected.
    public var isUsed: Bool {
        var entry = pollfd(fd: listener, events: CShort(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}
