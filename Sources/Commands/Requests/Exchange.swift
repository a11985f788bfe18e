import EventLoop
import JSON
import Logging
import MQTT
import Messages

/// Sends one request to a bridge and waits for the answer.
actor Exchange {
    enum Outcome: Sendable {
        case answered(JSON.Object)
        /// The broker refused the request, for this reason.
        case failed(String)
        /// No answer arrived within the time limit.
        case silent
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let loop: EventLoop
    private nonisolated let client: Client
    private let answers: String
    private let id: String
    private let question: OutgoingMessage
    private let outcomes: AsyncStream<Outcome>
    private let input: AsyncStream<Outcome>.Continuation

    /// - Parameters:
    ///   - answers: The topic of the answer.
    ///   - id: The `id` of the answer.
    ///   - question: The message to send once the subscription for the answer is granted.
    init(
        _ configuration: MQTT.Configuration, on loop: EventLoop, answers: String, id: String,
        question: OutgoingMessage
    ) {
        self.loop = loop
        self.answers = answers
        self.id = id
        self.question = question
        client = Client.open(
            configuration: configuration, loop: loop,
            logger: Logger(label: "request") { _ in SwiftLogNoOpLogHandler() })
        (outcomes, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Sends the request, and waits for the outcome.
    func outcome() async -> Outcome {
        client.onEvent { [weak self] event in self?.assumeIsolated { $0.take(event) } }
        client.onMessage { [weak self] message in self?.assumeIsolated { $0.take(message) } }
        client.subscribe([TopicFilter(answers, qos: 1)])
        let timer = loop.schedule(after: BridgeRequest.patience) { [input] in _ = input.yield(.silent) }
        defer { timer.cancel() }
        return await withTaskGroup { group in
            group.addTask { [client] in await client.run() }
            var outcome = Outcome.silent
            for await first in outcomes {
                outcome = first
                break
            }
            await client.close()
            await group.waitForAll()
            return outcome
        }
    }

    private func take(_ event: Event) {
        switch event {
        case .subscribed(answers, _): client.publish(question)
        case .disconnected(let error, _): input.yield(.failed("\(error)"))
        case .subscribeRefused(let topic, let reason), .publishRefused(let topic, let reason):
            input.yield(.failed("it refuses \(topic): \(reason)"))
        default: break
        }
    }

    private func take(_ message: IncomingMessage) {
        guard message.topic == answers, !message.isRetained,
            let answer = (try? JSON.Value(parsing: message.payload))?.object, answer["id"] == .string(id)
        else { return }
        input.yield(.answered(answer))
    }
}
