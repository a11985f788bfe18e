import Bluetooth
package import ESPHome
package import EventLoop
import Glibc
package import HostServices
package import VirtualDevices

/// Serves the devices of a world behind a simulated Bluetooth proxy on a TCP port.
///
/// ``Proxy`` makes all decisions; this actor handles the sockets and the clock.
package actor ProxyServer: PeripheralServer {
    /// The loop on which the server runs.
    package nonisolated let loop: EventLoop
    /// Runs the actor on the loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let address: ListenAddress
    private let key: EncryptionKey?
    private let options: Proxy.Options
    private let report: @Sendable (Report) -> Void
    private var proxy: Proxy
    private var listener: Watch?
    private var clients: [Int: ClientSocket] = [:]
    private var lastClient = 0
    /// The delay of messages in each direction.
    private var delay = Duration.zero
    private var timer: LoopTimer?

    /// Prepares a proxy.
    ///
    /// - Parameters:
    ///   - key: The key of its clients; nil for a proxy without encryption.
    ///   - report: Called with every report, on the loop's thread.
    package init(
        _ world: World, at address: ListenAddress, key: EncryptionKey?, options: Proxy.Options,
        loop: EventLoop, report: @escaping @Sendable (Report) -> Void
    ) {
        var options = options
        options.hasKey = key != nil
        (self.address, self.key, self.options, self.loop) = (address, key, options, loop)
        self.report = report
        proxy = Proxy(world, options: options)
    }

    /// Opens the port and switches the devices on.
    ///
    /// - Throws: `FileAccess.Failure` if the port cannot be opened.
    package func start() throws {
        let descriptor = try address.listen()
        listener = loop.watch(descriptor, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.accept() }
        }
        run { $0.start(at: $1) }
    }

    /// Executes a live line: about a device, or about the proxy.
    package func perform(line: String) { run { $0.perform(line: line, at: $1) } }

    /// Closes the port and all connections.
    package func stop() {
        timer?.cancel()
        if let listener {
            listener.cancel()
            close(listener.descriptor)
        }
        listener = nil
        for client in Array(clients.keys) { remove(client) }
    }

    private func run(_ body: (inout Proxy, Duration) -> [Proxy.Output]) {
        for output in body(&proxy, EventLoop.now) { perform(output) }
        timer?.cancel()
        timer = proxy.nextDeadline.map { deadline in
            loop.schedule(after: max(.zero, deadline - EventLoop.now)) { [weak self] in
                self?.assumeIsolated { $0.run { $0.advance(to: $1) } }
            }
        }
    }

    private func perform(_ output: Proxy.Output) {
        switch output {
        case .send(let client, let message): send(message, to: client)
        case .close(let client): end(client)
        case .abandon(let client):
            clients[client]?.isAbandoned = true
            clients[client]?.watch?.interest = []
        case .reachable(let isReachable):
            // Without Wi-Fi, the system still completes connections; they wait until they are accepted.
            listener?.interest = isReachable ? .readable : []
            guard isReachable else { break }
            for (client, socket) in clients where socket.isAbandoned { remove(client) }
        case .delay(let delay): self.delay = delay
        case .report(let report): self.report(report)
        }
    }

    // MARK: Clients

    private func accept() {
        guard let listener else { return }
        while true {
            let descriptor = Glibc.accept(listener.descriptor, nil, nil)
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var isOn: CInt = 1
            setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
            lastClient += 1
            let client = lastClient
            let socket = ClientSocket(
                descriptor,
                ServerTransport(key: key?.bytes, name: options.name, mac: options.address.digits))
            socket.watch = loop.watch(descriptor, for: .readable) { [weak self] readiness in
                self?.assumeIsolated { $0.advance(client, readiness) }
            }
            clients[client] = socket
            run { $0.opened(client: client, at: $1) }
        }
    }

    private func advance(_ client: Int, _ readiness: Readiness) {
        guard let socket = clients[client], !socket.isAbandoned else { return }
        guard readiness != .writable, !socket.isClosing else { return flush(client) }
        guard let step = socket.receive() else { return lost(client) }
        for frame in step.frames {
            do throws(MessageError) {
                guard let message = try Message(frame) else { continue }
                socket.lastArrival = later(socket.lastArrival) { [weak self] in
                    self?.assumeIsolated { $0.run { $0.received(message, from: client, at: $1) } }
                }
            } catch {
                return lost(client)
            }
        }
        if step.failure != nil { lost(client, isFlushed: false) } else { flush(client) }
    }

    /// Sends a message after the delay. If the client does not read, firmware drops advertisements and values, and up
    /// to 2026.7 any message.
    private func send(_ message: Message, to client: Int) {
        guard let socket = clients[client] else { return }
        socket.lastDeparture = later(socket.lastDeparture) { [weak self] in
            self?.assumeIsolated { server in
                guard let socket = server.clients[client], !socket.isAbandoned else { return }
                guard !socket.isFull || !server.mayDrop(message) else { return }
                socket.enqueue(message)
                server.flush(client)
            }
        }
    }

    private func mayDrop(_ message: Message) -> Bool {
        switch message {
        case .advertisements, .notification, .readReply, .pairing: true
        default: options.firmware == .v2026_6
        }
    }

    /// Runs an action after the delay, but not before an earlier one.
    ///
    /// - Parameter earliest: The time of the previous action; zero if none was delayed.
    /// - Returns: The time of the action.
    private func later(_ earliest: Duration, _ action: @escaping @Sendable () -> Void) -> Duration {
        guard delay > .zero || earliest > .zero else {
            action()
            return .zero
        }
        let now = EventLoop.now
        let due = max(earliest, now + delay)
        _ = loop.schedule(after: due - now) { action() }
        return due
    }

    private func flush(_ client: Int) {
        guard let socket = clients[client] else { return }
        guard socket.flush() else {
            return socket.isClosing ? remove(client) : lost(client)
        }
        socket.watch?.interest = socket.interest
    }

    /// Closes a connection after everything was sent.
    private func end(_ client: Int) {
        guard let socket = clients[client] else { return }
        socket.lastDeparture = later(socket.lastDeparture) { [weak self] in
            self?.assumeIsolated { server in
                server.clients[client]?.isClosing = true
                server.flush(client)
            }
        }
    }

    /// Handles the end of a connection by the client.
    ///
    /// - Parameter isFlushed: Whether waiting bytes are dropped.
    private func lost(_ client: Int, isFlushed: Bool = true) {
        if isFlushed {
            remove(client)
        } else {
            clients[client]?.isClosing = true
            flush(client)
        }
        run { $0.closed(client: client, at: $1) }
    }

    private func remove(_ client: Int) { clients.removeValue(forKey: client)?.watch?.cancel() }
}
