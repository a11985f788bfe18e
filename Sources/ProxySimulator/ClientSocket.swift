import ESPHome
import EventLoop
import Glibc

/// The connection of a client: a socket, its frames, and the bytes that wait for space.
final class ClientSocket {
    /// The number of waiting bytes from which firmware drops messages.
    static let fullBuffer = 16_384
    /// The number of waiting bytes above which the connection of a client that does not read is closed.
    static let maximumBuffer = 1 << 20

    let descriptor: CInt
    var watch: Watch?
    private var transport: ServerTransport
    private var waiting: ArraySlice<UInt8> = []
    /// Whether the connection ends when everything is sent.
    var isClosing = false
    /// Whether the client cannot be reached.
    var isAbandoned = false
    /// The time of the latest delayed message in each direction, which no later message may overtake.
    var lastArrival = Duration.zero
    var lastDeparture = Duration.zero

    /// Takes ownership of a connected socket and closes it at the end.
    init(_ descriptor: CInt, _ transport: ServerTransport) {
        self.descriptor = descriptor
        self.transport = transport
    }

    deinit { close(descriptor) }

    var isFull: Bool { waiting.count > Self.fullBuffer }

    /// The events of the socket that the connection waits for.
    var interest: Interest {
        guard !isAbandoned else { return [] }
        let reading: Interest = isClosing ? [] : .readable
        return waiting.isEmpty ? reading : reading.union(.writable)
    }

    /// Reads what has arrived; nil if the connection has ended.
    func receive() -> ServerTransport.Step? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) ? .init() : nil }
        let step = transport.receive(Array(buffer[..<count]))
        waiting += step.answer
        return step
    }

    func enqueue(_ message: Message) { waiting += transport.encode(message.frame) }

    /// Sends what is possible now; returns false if the connection has ended.
    func flush() -> Bool {
        while !waiting.isEmpty, !isAbandoned {
            let count = waiting.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                waiting = waiting.dropFirst(count)
            } else if errno == EAGAIN {
                return waiting.count <= Self.maximumBuffer
            } else if errno != EINTR {
                return false
            }
        }
        return isAbandoned || !isClosing
    }
}
