import BridgeContract
import BridgeParts
import Claims
import DeviceKit
import HomeAssistant
import Logging
import Messages

// Where answers may go.
extension Bridge {
    /// A command or a request as it arrived, its answer's topic taken away where it is not the sender's to choose.
    func request(_ message: IncomingMessage, _ feature: String) -> CommandRequest {
        var request = CommandRequest(message, feature: feature)
        request.refuseResponseTopic { topic in
            !isSendersTopic(topic) || broker.unconfirmedReplies.contains(topic, at: world.time.now)
        }
        return request
    }

    /// Whether a topic is none of a bridge, a device or a group: an answer may go there if its sender wants that.
    func isSendersTopic(_ topic: String) -> Bool {
        !ResponseTopics(baseTopic: settings.baseTopic).refuses(
            topic, discoveryPrefix: settings.homeAssistant?.prefix
        ) { name in
            fleet.names.address(of: name) != nil || fleet.groups.contains(name)
                || broker.families.roots[name] != nil || NameRules.everyRoot.contains(name)
                || families.named(name) != nil
        }
    }

    /// The connection ended without a reason while an answer to this topic was not confirmed, or was just refused.
    func noteUnconfirmedReply(to topic: String) {
        guard broker.unconfirmedReplies.note(topic, at: world.time.now) else { return }
        logger.warning(
            "the connection ended over an answer; its Response Topic is not used for an hour",
            metadata: ["topic": "\(topic)"])
    }
}
