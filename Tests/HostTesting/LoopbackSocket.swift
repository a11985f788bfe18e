import Glibc

/// A connection to a port of this host, with full control over its bytes.
public final class LoopbackSocket: Sendable {
    private let descriptor: CInt

    /// Connects to 127.0.0.1.
    ///
    /// - Throws: `TestProcess.Failure` if no server is listening.
    public init(port: UInt16) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard status == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw TestProcess.Failure(description: "cannot connect to port \(port): \(reason)")
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes; returns the number that the other side accepted before it closed the connection.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        return bytes.count - rest.count
    }

    /// Sends a text; returns the number of bytes that the other side accepted.
    @discardableResult
    public func send(_ text: String) -> Int { send(Array(text.utf8)) }

    /// Closes the sending direction.
    public func finish() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Reads until the other side closes the connection; nil if it does not in time.
    public func readToEnd(within limit: Duration = .seconds(20)) -> String? {
        let end = ContinuousClock.now + limit
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
            guard left > 0, poll(&entry, 1, CInt(left) + 1) > 0 else { return nil }
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    /// Requests a page from an HTTP server; returns the whole response with its head.
    public static func get(_ path: String, port: UInt16) throws -> String {
        let socket = try LoopbackSocket(port: port)
        socket.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        guard let answer = socket.readToEnd() else {
            throw TestProcess.Failure(description: "no whole answer from port \(port)")
        }
        return answer
    }
}
