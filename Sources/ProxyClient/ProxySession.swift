package import Bluetooth
package import ESPHome

/// A client's session with a Bluetooth proxy: one TCP connection, from the handshake to its end, as a pure value.
///
/// The owner passes on received bytes and the time, and carries out the outputs in order. Each operation gets exactly
/// one result. Each attempt to connect to a device ends in exactly one event, and so does each connection.
package struct ProxySession: Sendable {
    enum Phase: Hashable, Sendable {
        case handshake
        case hello
        case description
        case running
        case ended
    }

    let limits: Limits
    private let mac: Address?
    private let maySubscribe: Bool
    private var transport: ClientTransport
    private var outputs: [Output] = []
    var now: Duration
    private(set) var phase = Phase.handshake
    private(set) var info = DeviceInfo()
    /// The time by which the proxy has to be identified; nil afterwards.
    private var identificationDeadline: Duration?
    private var lastFrame: Duration
    private var isPinged = false
    /// Whether the proxy has sent a message.
    package private(set) var hasReceived = false
    var subscription = Subscription.none
    /// The number of subscriptions without an answer.
    var refusals = 0
    var links: [Address: Link] = [:]
    var slots = Slots()
    /// The devices whose connection has ended, and whose slot is not free yet.
    var ending: Set<Address> = []

    /// Creates a session for an open TCP connection.
    ///
    /// - Parameters:
    ///   - mac: The expected address of the node; nil for any node.
    ///   - maySubscribe: Whether the session subscribes to advertisements without a call of ``subscribe(at:)``.
    ///   - now: The time on a monotonic clock.
    package init(
        transport: ClientTransport, mac: Address?, maySubscribe: Bool = true, limits: Limits = Limits(),
        at now: Duration
    ) {
        (self.transport, self.mac, self.maySubscribe, self.limits) = (transport, mac, maySubscribe, limits)
        (self.now, lastFrame, identificationDeadline) = (now, now, now + limits.identification)
    }

    /// Starts the handshake, or without encryption the hello.
    package mutating func start() -> [Output] {
        let (bytes, events) = transport.start()
        if !bytes.isEmpty { outputs.append(.send(bytes)) }
        handle(events)
        return takeOutputs()
    }

    /// The time of the next event. Call ``advance(to:)`` at this time.
    package var nextDeadline: Duration? {
        guard phase != .ended else { return nil }
        let silence = lastFrame + (isPinged ? limits.silence : limits.pingAfter)
        let others = [subscription.deadline] + links.values.map(\.nextDeadline)
        return ([identificationDeadline ?? silence] + others.compactMap { $0 }).min()
    }

    /// Carries out everything that is due.
    package mutating func advance(to time: Duration) -> [Output] {
        guard pass(to: time) else { return [] }
        if identificationDeadline.map({ $0 <= now }) ?? (lastFrame + limits.silence <= now) {
            end(.silent)
            return takeOutputs()
        }
        if identificationDeadline == nil, !isPinged, lastFrame + limits.pingAfter <= now {
            isPinged = true
            send(.ping(NoFields()))
        }
        if let deadline = subscription.deadline, deadline <= now { subscriptionDue() }
        if phase != .ended { advanceLinks() }
        return takeOutputs()
    }

    /// Handles received bytes.
    package mutating func received(_ bytes: [UInt8], at time: Duration) -> [Output] {
        guard pass(to: time) else { return [] }
        do throws(TransportError) {
            handle(try transport.receive(bytes))
        } catch {
            end(.transport(error))
        }
        return takeOutputs()
    }

    /// Handles the end of the TCP connection. The proxy reports no end of connections then, so all of them end here.
    package mutating func closed(at time: Duration) -> [Output] {
        guard pass(to: time) else { return [] }
        endLinks()
        phase = .ended
        return takeOutputs()
    }

    /// Ends the session. The proxy then closes its connections to devices.
    package mutating func stop(at time: Duration) -> [Output] {
        guard pass(to: time) else { return [] }
        if phase != .handshake { send(.disconnect(Disconnect())) }
        end(.stopped)
        return takeOutputs()
    }

    /// Moves the time forward; returns false after the end of the session.
    mutating func pass(to time: Duration) -> Bool {
        now = max(now, time)
        return phase != .ended
    }

    mutating func end(_ failure: Failure) {
        endLinks()
        phase = .ended
        outputs.append(.close(failure))
    }

    private mutating func endLinks() {
        for address in links.keys.sorted() { endLink(address, .unavailable) }
    }

    mutating func send(_ message: Message) { outputs.append(.send(transport.encode(message.frame))) }

    mutating func report(_ event: Event) { outputs.append(.event(event)) }

    mutating func complete(_ number: Int, _ result: Result<[UInt8], OperationFailure>) {
        outputs.append(.completed(number, result))
    }

    mutating func takeOutputs() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    // MARK: Messages

    private mutating func handle(_ events: [ClientTransport.Event]) {
        for event in events where phase != .ended {
            switch event {
            case .ready:
                phase = .hello
                // From API 1.12 of the client, a proxy sends short UUIDs.
                send(.hello(Hello(client: "tactile-bridge", major: 1, minor: 19)))
            case .frame(let frame): handle(frame)
            }
        }
    }

    private mutating func handle(_ frame: Frame) {
        (hasReceived, lastFrame, isPinged) = (true, now, false)
        do throws(MessageError) {
            if let message = try Message(frame) { handle(message) }
        } catch {
            end(.undecodable(type: frame.type, error))
        }
    }

    private mutating func handle(_ message: Message) {
        switch (message, phase) {
        case (.ping, _): send(.pingReply(NoFields()))
        case (.disconnect, _):
            send(.disconnectReply(NoFields()))
            end(.announced)
        case (.authenticationReply(let reply), _): if reply.isInvalid { end(.wrongPassword) }
        case (.helloReply(let reply), .hello):
            guard reply.major <= 2 else { return end(.version(reply.major)) }
            phase = .description
            // Firmware before 2026.1 requires this message, with an empty password if it has none.
            if reply.minor < 14 { send(.authentication(Authentication())) }
            send(.deviceInfo(NoFields()))
        case (.deviceInfoReply(let info), .description): identify(info)
        case (_, .running):
            if message.isForSubscriber { confirmSubscription() }
            handleRunning(message)
        default: break
        }
    }

    private mutating func identify(_ info: DeviceInfo) {
        if let mac, Address(info.mac) != mac { return end(.otherNode(info.mac)) }
        let missing = ProxyFeatures([.scan, .rawAdvertisements]).subtracting(info.proxyFeatures)
        guard missing.isEmpty else { return end(.features(missing)) }
        (phase, self.info, identificationDeadline) = (.running, info, nil)
        report(.identified(info))
        send(.subscribeSlots(NoFields()))
        if maySubscribe { subscribe() } else { report(.subscription(.withheld)) }
    }

    private mutating func handleRunning(_ message: Message) {
        switch message {
        case .scannerState(let state): report(.scanner(state))
        case .advertisements(let batch): report(.advertisements(batch.advertisements))
        case .slots(let slots): updateSlots(slots)
        case .connection(let state): update(state)
        case .services(let part): add(part)
        case .servicesDone(let end): finishList(end.address)
        case .unpairing(let outcome): report(.unpaired(outcome.address))
        default: handleValue(message)
        }
    }
}
