package import Bluetooth
package import ESPHome

/// Keeps a session with one Bluetooth proxy: requests TCP connections, and retries after failures. Pure.
package struct ProxyConnector: Sendable {
    /// An action for the owner, or a result.
    package enum Output: Hashable, Sendable {
        /// Open a TCP connection to the proxy, and call ``opened(at:)`` or ``closed(at:)``.
        case open
        case send([UInt8])
        /// Close the TCP connection after everything was sent, or give up its opening.
        case close
        case event(ProxySession.Event)
        case completed(Int, Result<[UInt8], ProxySession.OperationFailure>)
        /// There is no session. The next attempt follows after the delay.
        case offline(ProxySession.Failure, retryAfter: Duration)
    }

    private enum State: Hashable, Sendable {
        case idle
        case waiting(until: Duration)
        case opening(until: Duration)
        case running
    }

    private let key: EncryptionKey?
    private let mac: Address?
    private let needsPermission: Bool
    private let limits: ProxySession.Limits
    private var state = State.idle
    private var session: ProxySession?
    private var now = Duration.zero
    /// The number of failures in a row.
    private var failures = 0
    /// The number of TCP connections in a row that the proxy closed without a message.
    private var refusals = 0
    /// The start of the session; nil while the proxy is not identified.
    private var identified: Duration?
    /// Whether another client has replaced this client as the subscriber, also in an earlier session.
    private var isDisplaced = false

    /// Prepares a connection.
    ///
    /// - Parameters:
    ///   - key: The key of the proxy; nil for a proxy without encryption.
    ///   - mac: The expected address of the node; nil for any node.
    ///   - needsPermission: Whether each session subscribes only after a call of ``subscribe(at:)``.
    package init(
        key: EncryptionKey?, mac: Address?, needsPermission: Bool = false,
        limits: ProxySession.Limits = ProxySession.Limits()
    ) {
        (self.key, self.mac, self.needsPermission, self.limits) = (key, mac, needsPermission, limits)
    }

    /// The time of the next event. Call ``advance(to:)`` at this time.
    package var nextDeadline: Duration? {
        switch state {
        case .idle: nil
        case .waiting(let time), .opening(let time): time
        case .running: session?.nextDeadline
        }
    }

    /// Starts to connect.
    package mutating func start(at time: Duration) -> [Output] {
        now = max(now, time)
        guard state == .idle else { return [] }
        return open()
    }

    /// Carries out everything that is due.
    package mutating func advance(to time: Duration) -> [Output] {
        now = max(now, time)
        switch state {
        case .waiting(let due) where due <= now: return open()
        case .opening(let due) where due <= now: return [.close] + fail(.unreachable)
        case .running: return run { $0.advance(to: $1) }
        case .idle, .waiting, .opening: return []
        }
    }

    /// Starts a session on the open TCP connection.
    package mutating func opened(at time: Duration) -> [Output] {
        now = max(now, time)
        guard case .opening = state else { return [] }
        state = .running
        session = ProxySession(
            transport: ClientTransport(key: key?.bytes), mac: mac,
            maySubscribe: !needsPermission && !isDisplaced, limits: limits, at: now)
        return run { session, _ in session.start() }
    }

    /// Handles received bytes.
    package mutating func received(_ bytes: [UInt8], at time: Duration) -> [Output] {
        now = max(now, time)
        return run { $0.received(bytes, at: $1) }
    }

    /// Handles the end of the TCP connection by the proxy or the network, or the failure to open it.
    package mutating func closed(at time: Duration) -> [Output] {
        now = max(now, time)
        switch state {
        case .idle, .waiting: return []
        case .opening: return fail(.unreachable)
        case .running:
            refusals = session?.hasReceived == true ? 0 : refusals + 1
            let outputs = run { $0.closed(at: $1) }
            return outputs + fail(refusals < 3 ? .lost : .noPlace)
        }
    }

    /// Ends the session and connects no more.
    package mutating func stop(at time: Duration) -> [Output] {
        now = max(now, time)
        defer { (state, session, identified) = (.idle, nil, nil) }
        switch state {
        case .idle, .waiting: return []
        case .opening: return [.close]
        case .running: return run { $0.stop(at: $1) }
        }
    }

    /// Makes this client the subscriber, even if another client is or was the subscriber: the bridges that share the
    /// proxy have left it to this client. Has no effect without a session.
    package mutating func subscribe(at time: Duration) -> [Output] {
        now = max(now, time)
        guard session != nil else { return [] }
        isDisplaced = false
        return run { $0.subscribe(at: $1) }
    }

    /// Records that a bridge uses the proxy, so that it is not an unknown client that has replaced this client.
    package mutating func leave() { isDisplaced = false }

    /// Connects to a device; see ``ProxySession/connect(_:addressType:at:)``.
    package mutating func connect(_ address: Address, addressType: UInt32, at time: Duration) -> [Output] {
        now = max(now, time)
        guard session != nil else { return [.event(.connectFailed(address, .unavailable))] }
        return run { $0.connect(address, addressType: addressType, at: $1) }
    }

    /// Closes a connection to a device, or cancels the attempt.
    package mutating func disconnect(_ address: Address, at time: Duration) -> [Output] {
        now = max(now, time)
        return run { $0.disconnect(address, at: $1) }
    }

    /// Removes the bond between the proxy and a device; ``ProxySession/Event/unpaired(_:)`` follows if the proxy answers.
    package mutating func unpair(_ address: Address, at time: Duration) -> [Output] {
        now = max(now, time)
        return run { $0.unpair(address, at: $1) }
    }

    /// Whether there is a connection to a device or an attempt, or its end is not confirmed yet.
    package func holds(_ address: Address) -> Bool { session?.links[address] != nil }

    /// Whether the acknowledgment of a write to a device is late, so that nothing more is sent to it.
    package func isStalled(_ address: Address) -> Bool { session?.links[address]?.isStalled ?? false }

    /// Starts an operation; see ``ProxySession/perform(_:on:of:number:isFirst:at:)``.
    package mutating func perform(
        _ operation: ProxySession.Operation, on handle: UInt16, of address: Address, number: Int,
        isFirst: Bool = false, at time: Duration
    ) -> [Output] {
        now = max(now, time)
        guard session != nil else { return [.completed(number, .failure(.notConnected))] }
        return run {
            $0.perform(operation, on: handle, of: address, number: number, isFirst: isFirst, at: $1)
        }
    }

    private mutating func open() -> [Output] {
        state = .opening(until: now + limits.open)
        return [.open]
    }

    private mutating func run(
        _ body: (inout ProxySession, Duration) -> [ProxySession.Output]
    ) -> [Output] {
        guard var session else { return [] }
        // The session is not copied while it changes.
        self.session = nil
        let outputs = body(&session, now)
        self.session = session
        return outputs.flatMap { pass($0) }
    }

    private mutating func pass(_ output: ProxySession.Output) -> [Output] {
        switch output {
        case .send(let bytes): return [.send(bytes)]
        case .completed(let number, let result): return [.completed(number, result)]
        case .close(.stopped): return [.close]
        case .close(let failure): return [.close] + fail(failure)
        case .event(let event):
            switch event {
            case .identified: (identified, refusals) = (now, 0)
            case .subscription(.withheld):
                return [.event(.subscription(isDisplaced ? .displaced : .withheld))]
            case .subscription(let subscription): isDisplaced = subscription == .displaced
            default: break
            }
            return [.event(event)]
        }
    }

    /// Ends the session and sets the time of the next attempt.
    private mutating func fail(_ failure: ProxySession.Failure) -> [Output] {
        if let identified, identified + limits.steady <= now { failures = 0 }
        (session, identified) = (nil, nil)
        failures += 1
        let delay =
            failure.needsUser
            ? limits.slowRetry : min(limits.longestRetry, limits.firstRetry * (1 << min(failures - 1, 16)))
        state = .waiting(until: now + delay)
        return [.offline(failure, retryAfter: delay)]
    }
}
