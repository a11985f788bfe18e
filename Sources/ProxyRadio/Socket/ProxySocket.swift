import EventLoop
import Glibc

/// A TCP connection to a proxy; all members are used on the loop's thread only. Its owner closes it.
///
/// The socket is close-on-exec, so that no child process keeps the connection open after the end of this process: the
/// proxy then closes its connections to devices immediately.
actor ProxySocket {
    enum Event: Sendable {
        case opened
        case received([UInt8])
        /// The connection cannot be opened, or has ended; always the last event.
        case closed(reason: String)
    }

    /// The number of bytes that wait for space. A proxy that reads so little is not usable.
    static let maximumBuffer = 65_536
    /// The time for an address if there are further addresses.
    private static let patience = Duration.seconds(3)

    private let host: String
    private let port: UInt16
    private let loop: EventLoop
    private let handler: @Sendable (Event) -> Void
    private var addresses: ArraySlice<SocketAddress> = []
    private var watch: Watch?
    private var timer: LoopTimer?
    private var isOpen = false
    private var isClosed = false
    private var waiting: ArraySlice<UInt8> = []
    private var failure = "no address"

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(host: String, port: UInt16, on loop: EventLoop, handler: @escaping @Sendable (Event) -> Void) {
        (self.host, self.port, self.loop, self.handler) = (host, port, loop, handler)
    }

    /// Resolves the host, and connects to its first address that accepts a connection.
    nonisolated func open() {
        SocketAddress.resolve(host, port: port, on: loop) { [weak self] answer in
            self?.assumeIsolated { $0.resolved(answer) }
        }
    }

    /// Sends bytes, or keeps them until there is space; returns false if the connection has ended.
    nonisolated func send(_ bytes: [UInt8]) -> Bool {
        assumeIsolated { socket in
            socket.waiting += bytes
            return socket.flush()
        }
    }

    /// Closes the connection, without an event. The system still sends the bytes that it has accepted.
    nonisolated func close() {
        assumeIsolated { socket in
            socket.isClosed = true
            socket.discard()
        }
    }

    private func resolved(_ answer: SocketAddress.Answer) {
        guard !isClosed else { return }
        switch answer {
        case .failed(let reason): handler(.closed(reason: reason))
        case .found(let found):
            addresses = found[...]
            openNext()
        }
    }

    /// Connects to the next address.
    private func openNext() {
        discard()
        guard let address = addresses.popFirst() else { return handler(.closed(reason: failure)) }
        let descriptor = socket(
            address.family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return failed(errno) }
        var isOn: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
        // The connection is established when the socket is writable, even if it is established at once.
        watch = loop.watch(descriptor, for: .writable) { [weak self] _ in
            self?.assumeIsolated { $0.advance() }
        }
        guard address.with({ connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS else {
            return failed(errno)
        }
        guard !addresses.isEmpty else { return }
        timer = loop.schedule(after: Self.patience) { [weak self] in
            self?.assumeIsolated { $0.failed(ETIMEDOUT) }
        }
    }

    private func failed(_ error: CInt) {
        failure = String(cString: strerror(error))
        openNext()
    }

    private func discard() {
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
        guard error == 0 else { return failed(error) }
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
        discard()
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
