package import Bluetooth
import ESPHome
package import EventLoop
import ProxyClient

/// Asks a proxy for its description and its slots. It does not subscribe to advertisements, so that no other client of
/// the proxy is replaced.
package actor ProxyProbe {
    /// What the proxy states about itself.
    package struct Node: Hashable, Sendable {
        /// The name of the node.
        package var name: String
        /// The address of its radio; nil if it states none.
        package var address: Address?
        /// The version of ESPHome.
        package var version: String
        /// Whether it connects to devices, and not only forwards advertisements.
        package var canConnect: Bool
        /// Its slots; nil if it did not report them in time.
        package var slots: RadioDescription.Adapter.Slots?

        package init(
            name: String, address: Address?, version: String, canConnect: Bool,
            slots: RadioDescription.Adapter.Slots?
        ) {
            (self.name, self.address, self.version) = (name, address, version)
            (self.canConnect, self.slots) = (canConnect, slots)
        }
    }

    /// The result.
    package enum Answer: Hashable, Sendable {
        case node(Node)
        /// Why the proxy cannot be used, and what to do.
        case problem(String)
    }

    /// The time limit.
    private static let patience = Duration.seconds(10)

    private let settings: ProxyRadio.Settings
    private let loop: EventLoop
    private let waiters: Waiters
    private var socket: ProxySocket?
    private var session: ProxySession?
    private var status = ProxyStatus()
    private var failure: ProxySession.Failure?
    private var cause: String?

    /// Runs the actor on the loop.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ settings: ProxyRadio.Settings, loop: EventLoop) {
        (self.settings, self.loop) = (settings, loop)
        waiters = Waiters(on: loop)
    }

    /// Asks the proxy; returns after 10 s at the latest.
    package func ask() async -> Answer {
        let socket = ProxySocket(host: settings.host, port: settings.port, on: loop) { [weak self] event in
            self?.assumeIsolated { $0.handle(event) }
        }
        self.socket = socket
        socket.open()
        _ = await waiters.wait(upTo: Self.patience) { self.failure != nil || self.status.slots != nil }
        run { $0.stop(at: $1) }
        socket.close()
        guard let info = status.info else {
            let failure = failure ?? (session == nil ? .unreachable : .silent)
            return .problem(failure.problem(at: settings.place, mac: settings.mac, cause: cause))
        }
        return .node(
            Node(
                name: info.name, address: status.address, version: info.version,
                canConnect: status.canConnect,
                slots: status.slots.map { .init(free: Int($0.free), limit: Int($0.limit)) }))
    }

    private func handle(_ event: ProxySocket.Event) {
        switch event {
        case .opened:
            session = ProxySession(
                transport: ClientTransport(key: settings.key?.bytes), mac: settings.mac, maySubscribe: false,
                at: EventLoop.now)
            run { session, _ in session.start() }
        case .received(let bytes): run { $0.received(bytes, at: $1) }
        case .closed(let reason):
            let wasSilent = session.map { !$0.hasReceived } ?? false
            end(session == nil ? .unreachable : wasSilent ? .noPlace : .lost, reason)
        }
    }

    private func run(_ body: (inout ProxySession, Duration) -> [ProxySession.Output]) {
        guard var session else { return }
        let outputs = body(&session, EventLoop.now)
        self.session = session
        for output in outputs {
            switch output {
            case .send(let bytes): _ = socket?.send(bytes)
            case .close(.stopped): break
            case .close(let failure): end(failure, nil)
            case .event(let event): status.handle(event)
            case .completed: break
            }
        }
        waiters.check()
    }

    private func end(_ failure: ProxySession.Failure, _ cause: String?) {
        guard self.failure == nil else { return }
        (self.failure, self.cause) = (failure, cause)
        waiters.check()
    }
}
