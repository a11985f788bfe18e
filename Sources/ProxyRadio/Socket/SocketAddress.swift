import EventLoop
import Glibc

/// An address and a port, in the form of system calls.
struct SocketAddress: Hashable, Sendable {
    /// The result of a lookup: the addresses, at least one, or the system's error message.
    enum Answer: Hashable, Sendable {
        case found([SocketAddress])
        case failed(String)
    }

    let family: CInt
    private let bytes: [UInt8]

    func with(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> CInt) -> CInt {
        bytes.withUnsafeBytes { buffer in
            buffer.withMemoryRebound(to: sockaddr.self) { body($0.baseAddress, socklen_t(buffer.count)) }
        }
    }

    /// Resolves a host name on its own thread, and passes the answer to the loop. A caller that no longer needs the
    /// answer ignores it, because `getaddrinfo` cannot be interrupted.
    static func resolve(
        _ host: String, port: UInt16, on loop: EventLoop, then finish: @escaping @Sendable (Answer) -> Void
    ) {
        let numeric = lookUp(host, port, flags: AI_NUMERICHOST)
        if case .found = numeric { return loop.execute { finish(numeric) } }
        do throws(EventLoopError) {
            try loop.offload {
                lookUp(host, port, flags: 0)
            } then: {
                finish($0)
            }
        } catch {
            let message = String(cString: strerror(error.errno))
            loop.execute { finish(.failed(message)) }
        }
    }

    private static func lookUp(_ host: String, _ port: UInt16, flags: CInt) -> Answer {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            return .failed(
                status == EAI_SYSTEM
                    ? String(cString: strerror(errno)) : String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }).compactMap(\.self) {
            guard let pointer = entry.pointee.ai_addr else { continue }
            let bytes = UnsafeRawBufferPointer(start: pointer, count: Int(entry.pointee.ai_addrlen))
            let address = SocketAddress(family: entry.pointee.ai_family, bytes: Array(bytes))
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses.isEmpty ? .failed("the name has no address") : .found(addresses)
    }
}
