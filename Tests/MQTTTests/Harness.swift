import BridgeTesting
import EventLoop
import Testing

@testable import MQTT

/// A client that runs, with everything that it tells, until the end of `withClient`.
struct RunningClient {
    let client: Client
    let events: AsyncStream<Event>
    let messages: AsyncStream<IncomingMessage>
    let log: LogRecord

    /// Waits until the client is connected.
    @discardableResult
    func connected() async throws -> Event.Connected {
        for await case .connected(let connected) in events { return connected }
        throw HarnessError.ended
    }

    /// Waits until a connection fails or ends.
    @discardableResult
    func disconnected() async throws -> (MQTTError, Duration) {
        for await case .disconnected(let error, let retryIn) in events { return (error, retryIn) }
        throw HarnessError.ended
    }

    /// Waits for the next message.
    func message() async throws -> IncomingMessage {
        for await message in messages { return message }
        throw HarnessError.ended
    }
}

extension RunningClient {
    /// Expects the next message to have this payload, and this topic if one is named.
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

/// Runs a client on a loop of its own for as long as `body` takes, then closes it without last words.
@discardableResult
func withClient<Result>(
    _ configuration: Configuration, subscriptions: [Subscription] = [], random: Double = 0,
    resolve: Resolver.Function? = nil, _ body: (RunningClient) async throws -> Result
) async throws -> Result {
    let loop = try EventLoop.start(name: configuration.clientID, isPrompt: true)
    let log = LogRecord()
    let client = Client(
        configuration: configuration, loop: loop, logger: log.logger(), random: { random },
        resolve: resolve ?? Resolver.resolve)
    client.subscribe(subscriptions)
    let running = RunningClient(
        client: client, events: await client.events(), messages: await client.messages(limit: 100_000),
        log: log)
    async let run: Void = client.run()
    do {
        let result = try await body(running)
        await client.close()
        await run
        loop.stop()
        return result
    } catch {
        await client.close()
        await run
        loop.stop()
        throw error
    }
}

extension Configuration {
    /// A client of a broker on 127.0.0.1.
    static func local(_ port: UInt16, _ clientID: String) -> Configuration {
        Configuration(host: "127.0.0.1", port: port, clientID: clientID)
    }
}

extension String {
    init(_ message: IncomingMessage) {
        self.init(decoding: message.payload, as: UTF8.self)
    }
}
