package import BridgeConfiguration
import BridgeContract
import DeviceKit
package import EventLoop
import Gestures
package import HostServices
import JSON
import Logging
import MQTT
import Messages

/// Shows live what a device reports, and the gestures that it matches, over the broker.
package actor GestureWatch {
    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// How long the description of the device may take.
    private static let patience = Duration.seconds(10)

    private nonisolated let loop: EventLoop
    private nonisolated let client: Client
    private let topics: Topics
    private let device: String
    private let families: [any DeviceFamily]
    private let show: @Sendable (String) throws(CommandFailure) -> Void
    private var trace: GestureTrace?
    private let failures: AsyncStream<CommandFailure>
    private let input: AsyncStream<CommandFailure>.Continuation

    /// - Parameters:
    ///   - device: The name of the device.
    ///   - configuration: The configuration of the bridge, with its broker and its gesture files.
    ///   - show: Shows one line.
    package init(
        _ device: String, _ configuration: BridgeConfiguration.Configuration, on loop: EventLoop,
        show: @escaping @Sendable (String) throws(CommandFailure) -> Void
    ) {
        self.loop = loop
        self.device = device
        self.show = show
        families = configuration.families
        let settings = configuration.settings
        topics = Topics(bridge: settings.bridge.id, baseTopic: settings.mqtt.baseTopic)
        var mqtt = settings.mqtt.configuration(will: nil)
        mqtt.clientID += "-gestures-\(UInt64.random(in: 0...UInt64.max))"
        mqtt.connectTimeout = .seconds(5)
        client = Client.open(
            configuration: mqtt, loop: loop,
            logger: Logger(label: "gestures") { _ in SwiftLogNoOpLogHandler() })
        (failures, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Runs until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` if the broker fails, no bridge has the device, or the device has no gestures.
    package func run() async throws(CommandFailure) {
        client.onEvent { [weak self] event in self?.assumeIsolated { $0.take(event) } }
        client.onMessage { [weak self] message in self?.assumeIsolated { $0.take(message) } }
        client.subscribe([TopicFilter(topics.report(device, "info"))])
        let timer = loop.schedule(after: Self.patience) { [weak self] in
            self?.assumeIsolated { $0.patienceIsOver() }
        }
        defer { timer.cancel() }
        let failure = await withTaskGroup { group in
            group.addTask { [client] in await client.run() }
            var failure: CommandFailure?
            for await first in failures {
                failure = first
                break
            }
            await client.close()
            await group.waitForAll()
            return failure
        }
        if let failure { throw failure }
    }

    private func patienceIsOver() {
        guard trace == nil else { return }
        fail("no bridge on this broker has a device named \(device); for the names: tactile-bridge fleet")
    }

    private func fail(_ reason: String) { input.yield(CommandFailure(.unavailable, reason)) }

    private func report(_ line: String) {
        do throws(CommandFailure) { try show(line) } catch { input.yield(error) }
    }

    private func take(_ event: Event) {
        switch event {
        case .disconnected(let error, _): fail("\(error)")
        case .subscribeRefused(let topic, let reason):
            fail(
                "the broker refuses \(topic): \(reason); its user needs the role viewer, and typist to read taps "
                    + "(tactile-bridge acl)"
            )
        default: break
        }
    }

    private func take(_ message: IncomingMessage) {
        guard let (name, feature) = topics.reported(message.topic), name == device else { return }
        let text = String(decoding: message.payload, as: UTF8.self)
        let value = (try? JSON.Value(parsing: message.payload)) ?? .string(text)
        if var trace {
            let line = trace.line(feature, value)
            self.trace = trace
            if let line { report(line) }
        } else if feature == "info", let name = value["family"]?.string {
            guard let trace = families.named(name).flatMap(GestureTrace.init) else {
                return fail("no gesture file is for the family \(name) of \(device)")
            }
            self.trace = trace
            report("\(device): \(trace.features.joined(separator: " "))")
            client.subscribe(trace.features.map { TopicFilter(topics.report(device, $0)) })
        }
    }
}
