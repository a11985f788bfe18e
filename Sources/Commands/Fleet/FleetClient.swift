package import BridgeConfiguration
import BridgeContract
package import EventLoop
package import HostServices
import Logging
import MQTT
package import Messages

/// A client of the fleet's broker: reads the messages of bridges and the roster, and writes the roster.
package actor FleetClient {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The time limit of each step.
    private static let patience = Duration.seconds(10)
    /// The time without a message after which all retained messages are considered received. It starts when the last
    /// subscription is granted.
    private static let quiet = Duration.milliseconds(150)

    private enum Wait: Hashable { case subscriptions, quiet, messages, condition }

    private nonisolated let loop: EventLoop
    private nonisolated let client: Client
    private let broker: String
    private var snapshot: FleetSnapshot
    private var wait: Wait?
    /// The filters or topics for which an answer of the broker is pending.
    private var missing: Set<String> = []
    private var expected: [String: [UInt8]] = [:]
    private var isMet: (@Sendable (FleetSnapshot) -> Bool)?
    private var timer: LoopTimer?
    private var waiter: CheckedContinuation<Result<Void, CommandFailure>, Never>?
    /// The result of a wait that ended before the task was suspended.
    private var early: Result<Void, CommandFailure>?

    private init(_ settings: Settings, _ snapshot: FleetSnapshot, on loop: EventLoop) {
        self.loop = loop
        self.snapshot = snapshot
        broker = settings.mqtt.servers.first?.host ?? ""
        var configuration = settings.mqtt.configuration(will: nil)
        configuration.clientID += "-fleet-\(UInt64.random(in: 0...UInt64.max))"
        configuration.connectTimeout = .seconds(5)
        // The limit must be large enough for a bridge's list of thousands of devices.
        configuration.limits = .init(payload: 8 << 20)
        client = Client.open(
            configuration: configuration, loop: loop,
            logger: Logger(label: "fleet") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Reads the fleet, and runs a closure while the connection is open.
    package static func withFleet<Result: Sendable>(
        _ settings: Settings, _ snapshot: FleetSnapshot, on loop: EventLoop,
        _ body: @Sendable (FleetClient, FleetSnapshot) async throws -> Result
    ) async throws -> Result {
        let fleet = FleetClient(settings, snapshot, on: loop)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await fleet.client.run() }
            let outcome: Swift.Result<Result, any Error>
            do { outcome = .success(try await body(fleet, try await fleet.read())) } catch {
                outcome = .failure(error)
            }
            await fleet.client.close()
            try await group.waitForAll()
            return try outcome.get()
        }
    }

    /// Reads all retained messages.
    private func read() async throws(CommandFailure) -> FleetSnapshot {
        client.onEvent { [weak self] event in self?.assumeIsolated { $0.take(event) } }
        client.onMessage { [weak self] message in self?.assumeIsolated { $0.take(message) } }
        try await subscribe(snapshot.filters)
        try await subscribe(snapshot.connectionFilters)
        return snapshot
    }

    private func subscribe(_ filters: [String]) async throws(CommandFailure) {
        guard !filters.isEmpty else { return }
        try await follow(filters)
        try await wait(.quiet)
    }

    /// Subscribes to further topics, and waits until the broker has granted it.
    package func follow(_ filters: [String]) async throws(CommandFailure) {
        missing = Set(filters)
        client.subscribe(filters.map { TopicFilter($0, qos: 0, receivesOwn: true) })
        try await wait(.subscriptions)
    }

    /// The fleet, as the messages until now describe it.
    package var fleet: FleetSnapshot { snapshot }

    /// Publishes messages of the roster, and waits until the broker has delivered all of them.
    package func publish(_ messages: [OutgoingMessage]) async throws(CommandFailure) {
        guard !messages.isEmpty else { return }
        expected = Dictionary(messages.map { ($0.topic, $0.payload) }) { $1 }
        for message in messages { client.publish(message) }
        try await wait(.messages)
    }

    /// Waits until the fleet meets a condition, or until the time limit.
    ///
    /// - Returns: The fleet.
    package func wait(
        within limit: Duration, until isMet: @escaping @Sendable (FleetSnapshot) -> Bool
    ) async throws(CommandFailure) -> FleetSnapshot {
        if !isMet(snapshot) {
            self.isMet = isMet
            try await wait(.condition, limit)
        }
        return snapshot
    }

    // MARK: Waiting

    private func wait(_ what: Wait, _ limit: Duration = patience) async throws(CommandFailure) {
        (wait, early) = (what, nil)
        startTimer(what == .quiet ? Self.quiet : limit)
        let outcome = await withCheckedContinuation { continuation in
            if let early { continuation.resume(returning: early) } else { waiter = continuation }
        }
        try outcome.get()
    }

    private func startTimer(_ limit: Duration) {
        timer?.cancel()
        timer = loop.schedule(after: limit) { [weak self] in
            self?.assumeIsolated { $0.timeIsUp() }
        }
    }

    private func end(_ outcome: Result<Void, CommandFailure>) {
        guard wait != nil else { return }
        timer?.cancel()
        (wait, isMet) = (nil, nil)
        if let waiter { waiter.resume(returning: outcome) } else { early = outcome }
        waiter = nil
    }

    private func timeIsUp() {
        switch wait {
        case .quiet, .condition: end(.success(()))
        case .messages:
            let topics = expected.keys.sorted().prefix(3).joined(separator: " ")
            end(
                .failure(
                    CommandFailure(
                        .unavailable,
                        "\(broker): \(expected.count) messages were not passed on, such as \(topics); the user of the "
                            + "broker needs the role admin (tactile-bridge acl)")))
        case .subscriptions:
            end(.failure(CommandFailure(.unavailable, "\(broker): no answer within 10 s")))
        case nil: break
        }
    }

    private func take(_ event: Event) {
        switch event {
        case .subscribed(let filter, _):
            missing.remove(filter)
            if wait == .subscriptions, missing.isEmpty { end(.success(())) }
        case .disconnected(let error, _):
            end(.failure(CommandFailure(.unavailable, "\(error)")))
        case .subscribeRefused(let topic, let reason):
            end(
                .failure(
                    CommandFailure(
                        .unavailable,
                        "\(broker): it refuses \(topic): \(reason); the user of the broker needs the role viewer or admin "
                            + "(tactile-bridge acl)")))
        case .publishRefused(let topic, let reason):
            end(
                .failure(
                    CommandFailure(
                        .unavailable,
                        "\(broker): it refuses \(topic): \(reason); the user of the broker needs the role admin "
                            + "(tactile-bridge acl)")))
        default: break
        }
    }

    private func take(_ message: IncomingMessage) {
        snapshot.hear(message.topic, message.payload)
        if wait == .quiet { startTimer(Self.quiet) }
        if isMet?(snapshot) ?? false { end(.success(())) }
        if let payload = expected[message.topic], payload == message.payload {
            expected[message.topic] = nil
            if wait == .messages, expected.isEmpty { end(.success(())) }
        }
    }
}
