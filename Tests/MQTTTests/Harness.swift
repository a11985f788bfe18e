import EventLoop
import HostTesting
import Messages
import Synchronization
import Testing

@testable import MQTT

/// A running client with its events and messages, until the end of `withClient`.
struct RunningClient {
    let client: Client
    let events: AsyncStream<Event>
    let messages: AsyncStream<IncomingMessage>
    let log: LogRecord
    fileprivate let listeners: Listeners

    /// Sets a handler that receives each message on the loop, before ``messages`` does.
    func onMessage(_ handler: @escaping @Sendable (IncomingMessage) -> Void) {
        listeners.message.withLock { $0 = handler }
    }

    /// Sets a handler that receives each event on the loop, before ``events`` does.
    func onEvent(_ handler: @escaping @Sendable (Event) -> Void) {
        listeners.event.withLock { $0 = handler }
    }

    /// Waits until the client is connected.
    @discardableResult
    func connected() async throws -> Event.Connected {
        for await case .connected(let connected) in events { return connected }
        throw HarnessError.ended
    }

    /// Waits until the broker has granted a subscription, so that messages of other clients arrive.
    func subscribed() async throws {
        for await case .subscribed in events { return }
        throw HarnessError.ended
    }

    /// Waits until a connection fails or ends.
    @discardableResult
    func disconnected() async throws -> (MQTTError, Duration) {
        for await case .disconnected(let error, let retryIn) in events { return (error, retryIn) }
        throw HarnessError.ended
    }

    /// Waits for a refused message, and returns its topic and the reason.
    func refused() async throws -> (topic: String, reason: Reason) {
        for await case .publishRefused(let topic, let reason) in events { return (topic, reason) }
        throw HarnessError.ended
    }

    func message() async throws -> IncomingMessage {
        for await message in messages { return message }
        throw HarnessError.ended
    }
}

extension RunningClient {
    /// Expects the next message to have this payload, and this topic if one is given.
    func expect(
        _ payload: String? = nil, _ comment: Comment? = nil, topic: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let message = try await message()
        if let payload { #expect(String(message) == payload, comment, sourceLocation: location) }
        if let topic { #expect(message.topic == topic, comment, sourceLocation: location) }
    }
}

enum HarnessError: Error { case ended }

/// Expects a value. Unlike in `#expect`, the call that returns it may be mutating.
func check<Value: Equatable>(
    _ value: Value, is expected: Value, _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation
) {
    #expect(value == expected, comment, sourceLocation: location)
}

/// Runs a client on its own loop while `body` runs, then closes it without waiting.
@discardableResult
func withClient<Result>(
    _ configuration: Configuration, subscriptions: [TopicFilter] = [], random: Double = 0,
    resolve: Resolver.Function? = nil, _ body: (RunningClient) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop.start(name: configuration.clientID, isPrompt: true)
    let log = LogRecord()
    let client = Client(
        configuration: configuration, loop: loop, logger: log.logger(), random: { random },
        resolve: resolve ?? Resolver.resolve)
    client.subscribe(subscriptions)
    let listeners = Listeners()
    let running = RunningClient(
        client: client, events: client.events { event in listeners.event.withLock { $0 }?(event) },
        messages: client.messages { message in listeners.message.withLock { $0 }?(message) }, log: log,
        listeners: listeners)
    async let run: Void = client.run()
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await body(running)) } catch { result = .failure(error) }
    await client.close()
    await run
    loop.stop()
    return try result.get()
}

/// Returns a name server that resolves every name to these addresses.
func resolve(_ addresses: String...) -> Resolver.Function {
    { _, port, loop, completion in
        loop.execute { completion(.success(addresses.map { Address(host: $0, port: port) })) }
    }
}

extension TestBroker {
    /// Starts a broker with changed options.
    convenience init(_ change: (inout Options) -> Void) throws {
        var options = Options()
        change(&options)
        try self.init(options)
    }
}

extension Configuration {
    /// Creates the configuration of a client of a broker on 127.0.0.1.
    static func local(_ port: UInt16, _ clientID: String, _ version: Version = .auto) -> Configuration {
        Configuration(host: "127.0.0.1", port: port, version: version, clientID: clientID)
    }
}

extension String {
    init(_ message: IncomingMessage) {
        self.init(decoding: message.payload, as: UTF8.self)
    }
}

extension OutgoingMessage {
    static func state(_ topic: String, _ payload: some Sequence<UInt8>) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: Array(payload), policy: .state)
    }

    static func removal(of topic: String) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: [], policy: .state)
    }

    static func stream(_ topic: String, _ payload: some Sequence<UInt8>) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: Array(payload), policy: .stream)
    }

    static func reply(
        to topic: String, correlation: [UInt8]?, _ payload: some Sequence<UInt8>
    ) -> OutgoingMessage {
        OutgoingMessage(topic: topic, payload: Array(payload), policy: .reply(correlation: correlation))
    }
}

extension Client {
    /// Returns the events from now on, until the client is closed.
    nonisolated func events(_ listener: @escaping @Sendable (Event) -> Void = { _ in }) -> AsyncStream<Event>
    {
        let (stream, outlet) = Outlet<Event>.make()
        onEvent {
            listener($0)
            outlet.yield($0)
        }
        return stream
    }

    /// Returns the messages from now on, until the client is closed.
    nonisolated func messages(
        _ listener: @escaping @Sendable (IncomingMessage) -> Void
    ) -> AsyncStream<IncomingMessage> {
        let (stream, outlet) = Outlet<IncomingMessage>.make()
        onMessage {
            listener($0)
            outlet.yield($0)
        }
        return stream
    }
}

/// The handlers of a test for messages and events on the loop.
fileprivate final class Listeners: Sendable {
    let message = Mutex<(@Sendable (IncomingMessage) -> Void)?>(nil)
    let event = Mutex<(@Sendable (Event) -> Void)?>(nil)
}

/// Feeds a stream, and finishes it with the last reference to the outlet: a client releases its handlers when it is
/// closed.
private final class Outlet<Element: Sendable>: Sendable {
    private let continuation: AsyncStream<Element>.Continuation

    private init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }

    static func make() -> (AsyncStream<Element>, Outlet) {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
        return (stream, Outlet(continuation))
    }

    func yield(_ element: Element) { continuation.yield(element) }
}
