import BridgeContract
import DeviceKit
package import JSON
package import Messages

/// A command as it arrived, with what its answer needs.
package struct CommandRequest: Sendable {
    /// Where the answer goes of a command that the bridge hands on.
    package indirect enum Collector: Sendable {
        /// To the combined answer of a group: the number of the command, and the member's place.
        case group(command: Int, member: Int)
        /// To the sender, who used a name that the device had.
        case formerName(String, request: CommandRequest)
        /// Nowhere: another device answers.
        case nobody
    }

    /// The feature's name as the topic has it.
    package var feature: String
    /// The feature's command, found once for the device that the request reaches; nil if it takes none.
    package var entry: FeatureTable.Entry?
    /// The topic that it arrived on.
    package var topic: String
    /// Whether it is a request that goes to every bridge.
    package var isCommon = false
    /// The payload; empty where it is too large to be looked at.
    package var payload: [UInt8]
    /// How many bytes the payload has.
    package var payloadSize: Int
    /// Whether the broker had it in store.
    package var isRetained: Bool
    /// Where the sender wants the answer.
    package var responseTopic: String?
    /// Where the sender wanted the answer and must not: then the answer goes to the usual topic.
    package var refusedResponseTopic: String?
    /// What the sender wants to be given back.
    package var correlation: [UInt8]?
    /// Until when it is valid, on the monotonic clock, by the message's own expiry.
    package var validUntil: Duration?
    /// When it arrived, on the monotonic clock.
    package var arrival: Duration
    /// What collects the answer of a command that the bridge handed on; nil for one that was sent to the device.
    package var collector: Collector?
    /// Whether a stop may come twice, since more than one subscription covers its topic.
    package var mayComeTwice = false
    /// Whether it is the second copy of a stop, which is obeyed but neither answered nor counted.
    package var isCopy = false
    /// Whether it is a stop of a device that another bridge speaks for: it is obeyed, and told of where it succeeds.
    /// That bridge knows better why one fails: this one may be about to let the device go.
    package var isSpokenForElsewhere = false
    /// When all members of the group begin with what it asks for, on the monotonic clock; nil for at once.
    package var start: Duration?

    /// Makes one that no message brought, and whose answer nobody waits for.
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

    /// Whether nothing can be published to a topic; one that is too long is refused for that.
    private static func isFilter(_ topic: String) -> Bool {
        topic.utf8.count <= ResponseTopics.sizeLimit
            && topic.utf8.contains { $0 == UInt8(ascii: "#") || $0 == UInt8(ascii: "+") || $0 == 0 }
    }

    /// Whether it stops the device, or a part of what it does.
    package var isStop: Bool { entry?.isStop ?? false }

    /// Whether the payload is too large to be looked at.
    package var isTooLarge: Bool { payloadSize > IncomingMessage.maximumPayload }

    /// Takes the topic of the answer away where the sender may not choose it.
    package mutating func refuseResponseTopic(_ isRefused: (String) -> Bool) {
        guard let topic = responseTopic, isRefused(topic) else { return }
        (refusedResponseTopic, responseTopic, correlation) = (topic, nil, nil)
    }

    /// The same command as it is handed on to a device.
    package func handedOn(answeredTo collector: Collector) -> CommandRequest {
        var request = self
        (request.responseTopic, request.correlation) = (nil, nil)
        (request.collector, request.entry) = (collector, nil)
        return request
    }

    /// An answer as the sender gets it: at the topic that it asked for, or at the usual one.
    ///
    /// - Parameter sequence: The number of a message on the usual topic; nil for none.
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
