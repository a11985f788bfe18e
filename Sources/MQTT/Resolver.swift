import EventLoop
import Glibc

/// Resolves host names without blocking the loop: each lookup runs on its own thread.
enum Resolver {
    /// A failed lookup, with the status of `getaddrinfo` and the `errno`.
    struct Failure: Error {
        let status: CInt
        let systemError: CInt
    }

    typealias Answer = Result<[Address], Failure>
    /// The type of `resolve`, so that tests can replace the name server.
    typealias Function =
        @Sendable (String, UInt16, EventLoop, _ completion: @escaping @Sendable (Answer) -> Void) -> Void

    /// Resolves a name, and calls `completion` on the loop later, even if the result is known immediately.
    ///
    /// `getaddrinfo` cannot be interrupted: a caller that no longer needs the result ignores it.
    @Sendable static func resolve(
        host: String, port: UInt16, on loop: EventLoop, completion: @escaping @Sendable (Answer) -> Void
    ) {
        if case .success(let addresses) = lookUp(host: host, port: port, flags: AI_NUMERICHOST) {
            return loop.execute { completion(.success(addresses)) }
        }
        do throws(EventLoopError) {
            try loop.offload {
                lookUp(host: host, port: port, flags: 0)
            } then: {
                completion($0)
            }
        } catch {
            loop.execute { completion(.failure(Failure(status: EAI_SYSTEM, systemError: error.errno))) }
        }
    }

    private static func lookUp(host: String, port: UInt16, flags: CInt) -> Answer {
        assert(
            flags & AI_NUMERICHOST != 0 || !EventLoop.isOnPromptThread,
            "the lookup of \(host) would block a thread that must not block")
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else { return .failure(Failure(status: status, systemError: errno)) }
        defer { freeaddrinfo(list) }

        var addresses: [Address] = []
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }).compactMap(\.self) {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let size = socklen_t(text.count)
            guard
                getnameinfo(
                    entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, size, nil, 0, NI_NUMERICHOST) == 0
            else { continue }
            let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            let address = Address(host: String(decoding: bytes, as: UTF8.self), port: port)
            if !addresses.contains(address) { addresses.append(address) }
        }
        return addresses.isEmpty
            ? .failure(Failure(status: EAI_NONAME, systemError: 0)) : .success(addresses)
    }
}
