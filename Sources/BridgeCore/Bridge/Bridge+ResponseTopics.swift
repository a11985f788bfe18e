import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import HomeAssistant
import Logging
import Messages

// The Response Topics that answers may use.
extension Bridge {
    /// Returns the command or request of a message. Its Response Topic is dropped if the sender must not use that
    /// topic.
    func request(_ message: IncomingMessage, _ feature: String) -> CommandRequest {
        var request = CommandRequest(message, feature: feature)
        request.refuseResponseTopic { topic in
            !isSendersTopic(topic) || broker.unconfirmedReplies.contains(topic, at: ports.time.now)
        }
        return request
    }

    /// Whether a topic belongs to no bridge, device or group, so that a sender may choose it for answers.
    func isSendersTopic(_ topic: String) -> Bool {
        !ResponseTopics(baseTopic: settings.baseTopic).refuses(
            topic, discoveryPrefix: settings.homeAssistant?.prefix
        ) { name in
            fleet.names.address(of: name) != nil || fleet.groups.contains(name)
                || broker.families.roots[name] != nil || NameRules.everyRoot.contains(name)
                || families.named(name) != nil
        }
    }

    /// Records that the broker connection ended without a reason while an answer to this topic was unconfirmed or had
    /// just been refused.
    func noteUnconfirmedReply(to topic: String) {
        guard broker.unconfirmedReplies.note(topic, at: ports.time.now) else { return }
        logger.warning(
            "the broker closed the connection because of an answer; its Response Topic is not used for an hour",
            metadata: ["topic": "\(topic)"])
    }
}
