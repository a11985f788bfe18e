package import BridgeConfiguration
import BridgeContract
package import EventLoop
package import HostServices
package import JSON
import MQTT
import Messages

/// Sends a request to a running bridge over its broker.
package struct BridgeRequest: Sendable {
    /// The time limit for the connection and the answer.
    static let patience = Duration.seconds(10)

    private let settings: Settings
    private let name: String

    /// - Parameters:
    ///   - name: The name of the request: `record`.
    ///   - settings: The settings of the bridge, with its id and its broker.
    package init(_ name: String, to settings: Settings) {
        self.name = name
        self.settings = settings
    }

    private var root: String {
        let prefix = settings.mqtt.baseTopic.isEmpty ? "" : settings.mqtt.baseTopic + "/"
        return "\(prefix)bridge/\(settings.bridge.id)"
    }

    /// Sends the request, and waits for its answer.
    ///
    /// - Throws: ``CommandFailure`` if the broker is unreachable, no bridge answers, or the bridge refuses.
    package func send(_ arguments: JSON.Object, on loop: EventLoop) async throws(CommandFailure)
        -> JSON.Object
    {
        // The id distinguishes the answer to this request from answers to other programs.
        let id = "\(name)-\(UInt64.random(in: 0...UInt64.max))"
        var configuration = settings.mqtt.configuration(will: nil)
        configuration.clientID += "-\(id)"
        configuration.connectTimeout = .seconds(5)
        let exchange = Exchange(
            configuration, on: loop, answers: "\(root)/response/\(name)", id: id,
            question: .event("\(root)/request/\(name)", JSON.Value.object(arguments.adding(id)).bytes))
        let outcome = await exchange.outcome()
        switch outcome {
        case .answered(let answer):
            guard answer["status"] == "ok" else {
                throw CommandFailure(.problem, answer["message"]?.string ?? "the bridge refused the request")
            }
            return answer
        case .failed(let reason): throw CommandFailure(.unavailable, "\(broker): \(reason)")
        case .silent:
            throw CommandFailure(
                .unavailable,
                "no answer from the bridge \(settings.bridge.id) within 10 s; for the cause: tactile-bridge doctor"
            )
        }
    }

    private var broker: String {
        let mqtt = settings.mqtt
        return mqtt.host.hasPrefix("/") ? mqtt.host : "\(mqtt.host):\(mqtt.port)"
    }
}

extension JSON.Object {
    fileprivate func adding(_ id: String) -> JSON.Object {
        var copy = self
        copy["id"] = .string(id)
        return copy
    }
}
