import Glibc

/// The address on which a server listens: an address of this host and a port, or the path of a Unix socket.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    /// The text: `127.0.0.1:9402`, `[::1]:9402`, `localhost:9402`, or the path of a Unix socket.
    package let description: String
    /// Whether only this host can connect (loopback or a Unix socket).
    package let isLoopback: Bool
    /// The address as a `sockaddr`, in the form for system calls.
    private let bytes: [UInt8]

    /// Parses an address; nil if it is invalid. `localhost` is 127.0.0.1; other names are not resolved.
    package init?(_ text: String) {
        if text.hasPrefix("/") {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            guard text.utf8.count < MemoryLayout.size(ofValue: address.sun_path), !text.utf8.contains(0)
            else {
                return nil
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
            description = text
            isLoopback = true
            bytes = withUnsafeBytes(of: address) { Array($0) }
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let number = text[text.index(after: colon)...]
        // A number with a sign is not a valid port.
        guard number.first?.isNumber == true, let port = UInt16(number), port > 0 else { return nil }
        let host = text[..<colon]
        description = text
        if host.hasPrefix("["), host.hasSuffix("]") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &address.sin6_addr) == 1 else {
                return nil
            }
            let address6 = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
            isLoopback = address6 == [UInt8](repeating: 0, count: 15) + [1]
            bytes = withUnsafeBytes(of: address) { Array($0) }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            guard inet_pton(AF_INET, host == "localhost" ? "127.0.0.1" : String(host), &address.sin_addr) == 1
            else { return nil }
            isLoopback = withUnsafeBytes(of: address.sin_addr) { $0[0] == 127 }
            bytes = withUnsafeBytes(of: address) { Array($0) }
        }
    }

    /// Returns the URL of a page for users; for a Unix socket, its path.
    package func url(of page: String) -> String { isPath ? description : "http://\(description)\(page)" }

    private var isPath: Bool { description.hasPrefix("/") }

    /// Opens a non-blocking socket that listens on the address. Replaces the Unix socket of a program that has ended.
    /// The owner and the group of a Unix socket can connect to it.
    package func listen() throws(FileAccess.Failure) -> CInt {
        func failure(_ call: String) -> FileAccess.Failure {
            FileAccess.Failure(action: "\(call) \(description)", number: errno)
        }
        let family = CInt(bytes.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) })
        let descriptor = socket(
            family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure("open a socket for") }
        var isOn: CInt = 1
        // Recently closed connections must not prevent a restarted bridge from listening.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
        if isPath, isAbandoned() { unlink(description) }
        guard withAddress({ bind(descriptor, $0, $1) }) == 0, !isPath || chmod(description, 0o660) == 0,
            Glibc.listen(descriptor, 16) == 0
        else {
            let failure = failure("listen on")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    /// Whether the path is a Unix socket on which no program listens.
    private func isAbandoned() -> Bool {
        var status = stat()
        guard lstat(description, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withAddress { connect(descriptor, $0, $1) } != 0 && errno == ECONNREFUSED
    }

    private func withAddress(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> CInt) -> CInt {
        bytes.withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: sockaddr.self) { body($0.baseAddress, socklen_t(buffer.count)) }
        }
    }
}
