import BridgeContract
import DeviceKit
package import JSON
package import Messages

/// A command as it arrived, with the data that its answer needs.
package struct CommandRequest: Sendable {
    /// The destination of the answer to a forwarded command.
    package indirect enum Collector: Sendable {
        /// The combined answer of a group, with the number of the command and the index of the member.
        case group(command: Int, member: Int)
        /// The sender, who used a former name of the device.
        case formerName(String, request: CommandRequest)
        /// No destination, because another device answers.
        case nobody
    }

    /// The name of the feature in the topic.
    package var feature: String
    /// The command of the feature; nil if the device has no such command.
    package var entry: FeatureTable.Entry?
    package var topic: String
    /// Whether the message is a request to all bridges, and not to this bridge by its id.
    package var isCommon = false
    /// The payload; empty if it is too large to be parsed.
    package var payload: [UInt8]
    /// The size of the payload in bytes, even if the payload was too large to be kept.
    package var payloadSize: Int
    package var isRetained: Bool
    /// The Response Topic that the sender chose.
    package var responseTopic: String?
    /// A Response Topic that the sender chose and that is not allowed. The answer goes to the default topic.
    package var refusedResponseTopic: String?
    /// The MQTT correlation data of the command, which its answer repeats.
    package var correlation: [UInt8]?
    /// When the command expires by the message expiry interval of MQTT, on the monotonic clock.
    package var validUntil: Duration?
    /// When the command arrived, on the monotonic clock.
    package var arrival: Duration
    /// Who receives the answer to a command that was forwarded to the device; nil for a command sent to the device
    /// itself.
    package var collector: Collector?
    /// Whether the broker may deliver the stop twice, because more than one subscription of the bridge matches its
    /// topic.
    package var mayComeTwice = false
    /// Whether the command is the second copy of a stop. A copy is obeyed, but neither answered nor counted.
    package var isCopy = false
    /// Whether the command is a stop of a device whose topics another bridge owns. This bridge obeys the stop, and
    /// answers only if it succeeds. The other bridge knows the reason for a failure better, since this bridge may be
    /// about to disconnect the device.
    package var isSpokenForElsewhere = false
    /// When all members of the group start the command, on the monotonic clock; nil for immediately.
    package var start: Duration?

    /// Creates a command of the bridge itself, which needs no answer.
    package init(feature: String, payload: [UInt8], arrival: Duration) {
        self.init(
            IncomingMessage(topic: "", payload: payload, isRetained: false, arrival: arrival),
            feature: feature)
        isCopy = true
    }

    package init(_ message: IncomingMessage, feature: String) {
        self.feature = feature
        topic = message.topic
        payload = message.payload
        payloadSize = message.payloadSize
        isRetained = message.isRetained
        responseTopic = message.responseTopic.flatMap { $0.isEmpty || Self.isFilter($0) ? nil : $0 }
        correlation = message.correlation
        validUntil = message.expirySeconds.map { message.arrival + .seconds(Int64($0)) }
        arrival = message.arrival
    }

    /// Whether a topic contains wildcards or a null character, so that nothing can be published to it. A topic that is
    /// too long is refused for its length instead.
    private static func isFilter(_ topic: String) -> Bool {
        topic.utf8.count <= ResponseTopics.sizeLimit
            && topic.utf8.contains { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "+") || $0 == 0 }
    }

    /// Whether the command stops the device, or a part of what the device does.
    package var isStop: Bool { entry?.isStop ?? false }

    package var isTooLarge: Bool { payloadSize > IncomingMessage.maximumPayload }

    /// Removes the Response Topic if the sender may not choose it.
    package mutating func refuseResponseTopic(_ isRefused: (String) -> Bool) {
        guard let topic = responseTopic, isRefused(topic) else { return }
        (refusedResponseTopic, responseTopic, correlation) = (topic, nil, nil)
    }

    /// Returns a copy of the command to be forwarded to a device.
    package func handedOn(answeredTo collector: Collector) -> CommandRequest {
        var request = self
        (request.responseTopic, request.correlation) = (nil, nil)
        (request.collector, request.entry) = (collector, nil)
        return request
    }

    /// Returns the message that carries the answer: on the Response Topic if the sender chose one, otherwise on the
    /// given default topic.
    ///
    /// - Parameter sequence: The sequence number of a message on the default topic; nil for none.
    package func message(
        _ object: JSON.Object, usually topic: @autoclosure () -> String,
        sequence: @autoclosure () -> Int?
    ) -> OutgoingMessage {
        if let responseTopic {
            return OutgoingMessage(
                topic: responseTopic, payload: JSON.Value.object(object).bytes,
                policy: .reply(correlation: correlation))
        }
        let number = sequence().map { [JSON.Object.Member(key: "seq", value: .integer($0))] } ?? []
        return OutgoingMessage(topic: topic(), payload: object.bytes(adding: number), policy: .event)
    }
}
