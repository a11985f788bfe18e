import EventLoop
import Glibc

/// A TCP connection to a proxy; belongs to the loop's thread.
///
/// The socket is close-on-exec, so that no child process keeps the connection open after the end of this process: the
/// proxy then closes its connections to devices immediately.
final class ProxySocket {
    enum Event {
        case opened
        case received([UInt8])
        /// The connection cannot be opened, or has ended; always the last event.
        case closed(reason: String)
    }

    /// The number of bytes that wait for space. A proxy that reads so little is not usable.
    static let maximumBuffer = 65_536
    /// The time for an address if there are further addresses.
    private static let patience = Duration.seconds(3)

    private let loop: EventLoop
    private var addresses: ArraySlice<SocketAddress>
    private let handler: (Event) -> Void
    private var watch: Watch?
    private var timer: LoopTimer?
    private var isOpen = false
    private var waiting: ArraySlice<UInt8> = []
    private var failure = "no address"

    /// Prepares a connection to the first address that accepts it.
    init(_ addresses: [SocketAddress], on loop: EventLoop, handler: @escaping (Event) -> Void) {
        (self.loop, self.handler) = (loop, handler)
        self.addresses = addresses[...]
    }

    deinit { close() }

    /// Connects to the next address.
    func open() {
        close()
        guard let address = addresses.popFirst() else { return handler(.closed(reason: failure)) }
        let descriptor = socket(
            address.family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return openNext(errno) }
        var isOn: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
        // The connection is established when the socket is writable, even if it is established at once.
        watch = loop.watch(descriptor, for: .writable) { [weak self] _ in self?.advance() }
        guard address.with({ connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS else {
            return openNext(errno)
        }
        guard !addresses.isEmpty else { return }
        timer = loop.schedule(after: Self.patience) { [weak self] in self?.openNext(ETIMEDOUT) }
    }

    private func openNext(_ error: CInt) {
        failure = String(cString: strerror(error))
        open()
    }

    /// Sends bytes, or keeps them until there is space; returns false if the connection has ended.
    func send(_ bytes: [UInt8]) -> Bool {
        waiting += bytes
        return flush()
    }

    /// Closes the connection, without an event. The system still sends the bytes that it has accepted.
    func close() {
        timer?.cancel()
        guard let watch else { return }
        watch.cancel()
        Glibc.close(watch.descriptor)
        self.watch = nil
        isOpen = false
    }

    private func advance() {
        guard let watch else { return }
        guard isOpen else { return finishOpening(watch) }
        guard flush() else { return end(errno) }
        receive(watch)
    }

    private func finishOpening(_ watch: Watch) {
        var error: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        getsockopt(watch.descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
        guard error == 0 else { return openNext(error) }
        timer?.cancel()
        isOpen = true
        watch.interest = .readable
        handler(.opened)
    }

    private func receive(_ watch: Watch) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(watch.descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            handler(.received(Array(buffer[..<count])))
        } else if count == 0 {
            end(0)
        } else if errno != EAGAIN, errno != EINTR {
            end(errno)
        }
    }

    private func end(_ error: CInt) {
        close()
        handler(.closed(reason: error == 0 ? "closed by the proxy" : String(cString: strerror(error))))
    }

    private func flush() -> Bool {
        guard let watch, isOpen else { return false }
        while !waiting.isEmpty {
            let count = waiting.withUnsafeBytes {
                Glibc.send(watch.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count > 0 {
                waiting = waiting.dropFirst(count)
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                return false
            }
        }
        watch.interest = waiting.isEmpty ? .readable : [.readable, .writable]
        return waiting.count <= Self.maximumBuffer
    }
}
