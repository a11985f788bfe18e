import DeviceKit
import HomeAssistant
import Messages

// Where answers may go.
extension Bridge {
    /// A command or a request as it arrived, its answer's topic taken away where it is not the sender's to choose.
    func request(_ message: IncomingMessage, _ feature: String) -> CommandRequest {
        var request = CommandRequest(message, feature: feature)
        request.refuseResponseTopic { topic in
            !isSendersTopic(topic)
        }
        return request
    }

    /// Whether a topic is none of a bridge, a device or a group: an answer may go there if its sender wants that.
    func isSendersTopic(_ topic: String) -> Bool {
        let roots = Set(
            families.map(\.name) + broker.families.roots.keys + fleet.groups.names + NameRules.everyRoot)
        return !ResponseTopics(baseTopic: settings.baseTopic, roots: roots).refuses(
            topic, discoveryPrefix: settings.homeAssistant?.prefix
        ) { fleet.names.address(of: $0) != nil }
    }
}
