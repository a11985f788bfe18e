import DeviceKit
import HomeAssistant
import Messages

// Where answers may go.
extension Bridge {
    /// A command or a request as it arrived, its answer's topic taken away where it is not the sender's to choose.
    func request(_ message: IncomingMessage, _ feature: String) -> CommandRequest {
        var request = CommandRequest(message, feature: feature)
        request.refuseResponseTopic { topic in
            let roots = Set(families.map(\.name) + fleet.groups.names + ["bridge", Groups.all])
            return ResponseTopics(baseTopic: settings.baseTopic, roots: roots).refuses(
                topic, discoveryPrefix: settings.homeAssistant?.prefix
            ) { fleet.names.address(of: $0) != nil }
        }
        return request
    }
}
