import EventLoop
import Glibc

/// One connection to the server, which reads one request and writes one answer; never blocks.
final class HTTPConnection {
    /// What became of it.
    enum Progress: Hashable {
        /// It goes on as it is.
        case waiting
        /// A request is complete; it waits for ``answer(_:)``.
        case asked(HTTPRequest)
        /// There is nothing more to do.
        case ended
    }

    private enum Phase {
        case reading
        case thinking
        case writing(ArraySlice<UInt8>)
        /// The answer is out. What the other side still sends is read and dropped: closing before would make the
        /// system take the answer back.
        case parting(left: Int)
    }

    let descriptor: CInt
    private var phase = Phase.reading
    private var received: [UInt8] = []

    /// Takes a connected socket, which it closes in the end.
    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// What it waits for.
    var interest: Interest {
        switch phase {
        case .reading, .parting: .readable
        case .thinking: []
        case .writing: .writable
        }
    }

    /// Whether all that is left is the other side's goodbye.
    var isParting: Bool { if case .parting = phase { true } else { false } }

    /// Does what can be done now; called when the socket is ready.
    func advance() -> Progress {
        switch phase {
        case .reading: read()
        case .thinking: .waiting
        case .writing(let rest): write(rest)
        case .parting(let left): drop(left)
        }
    }

    /// Answers the request, or what is none.
    func answer(_ response: HTTPResponse) -> Progress { write(response.bytes[...]) }

    private func read() -> Progress {
        guard let bytes = receive() else { return .waiting }
        guard !bytes.isEmpty else { return .ended }
        received += bytes
        switch HTTPRequest.read(received) {
        case .incomplete: return .waiting
        case .complete(let request):
            phase = .thinking
            return .asked(request)
        case .refused(let status): return answer(HTTPResponse(status, status.reason))
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>) -> Progress {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                phase = .writing(rest)
                return .waiting
            } else if errno != EINTR {
                return .ended
            }
        }
        shutdown(descriptor, CInt(SHUT_WR))
        phase = .parting(left: 1 << 20)
        return .waiting
    }

    private func drop(_ left: Int) -> Progress {
        guard let bytes = receive() else { return .waiting }
        phase = .parting(left: left - bytes.count)
        return bytes.isEmpty || left <= bytes.count ? .ended : .waiting
    }

    /// What came; empty at the end or after an error, nil if nothing came yet.
    private func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count < 0 else { return Array(buffer[..<count]) }
        return errno == EAGAIN || errno == EINTR ? nil : []
    }
}
