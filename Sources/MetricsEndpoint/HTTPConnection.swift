import EventLoop
import Glibc

/// A connection of a client to the metrics server, with one request and one response. No call blocks.
final class HTTPConnection {
    /// The state of the connection after a call.
    enum Progress: Hashable {
        /// The connection waits until its socket is ready.
        case waiting
        /// The request is complete. The connection waits for ``answer(_:)``.
        case asked(HTTPRequest)
        /// The connection is finished. It can be released, which closes the socket.
        case ended
    }

    private enum Phase {
        case reading
        case thinking
        case writing(ArraySlice<UInt8>)
        /// The response is sent. Bytes that still arrive are read and dropped, at most `left` bytes. If the socket were
        /// closed with unread bytes, the kernel would reset the connection, and the client could lose the response.
        case parting(left: Int)
    }

    let descriptor: CInt
    private var phase = Phase.reading
    private var received: [UInt8] = []

    /// Takes ownership of a connected socket, and closes it when the object is released.
    init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// The events of the socket that the connection waits for.
    var interest: Interest {
        switch phase {
        case .reading, .parting: .readable
        case .thinking: []
        case .writing: .writable
        }
    }

    /// Whether the response is sent, so that the connection only waits until the client closes it.
    var isParting: Bool { if case .parting = phase { true } else { false } }

    /// Reads or writes what is possible now; called when the socket is ready.
    func advance() -> Progress {
        switch phase {
        case .reading: read()
        case .thinking: .waiting
        case .writing(let rest): write(rest)
        case .parting(let left): drop(left)
        }
    }

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

    /// Returns the received bytes; empty at the end of the stream or after an error, nil if no bytes have arrived yet.
    private func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count < 0 else { return Array(buffer[..<count]) }
        return errno == EAGAIN || errno == EINTR ? nil : []
    }
}
