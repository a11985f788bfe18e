import DBus

/// A pairing agent that a client has registered.
struct AgentRecord: Hashable, Sendable {
    var owner: String
    var path: ObjectPath
    var capability: String
    var isDefault = false
}

extension Daemon {
    private static let capabilities: Set<String> = [
        "", "DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay",
    ]

    /// Answers a client's call of `AgentManager1`, for example to register an agent.
    mutating func manageAgents(_ call: Call) -> Result<[Value], DBusError> {
        guard let path = call.arguments.first?.objectPath else {
            return .failure(BlueZError.invalidArguments)
        }
        let place = agents.firstIndex { $0.owner == call.sender }
        switch call.member {
        case "RegisterAgent":
            guard let capability = call.arguments.last?.string, Self.capabilities.contains(capability) else {
                return .failure(BlueZError.invalidArguments)
            }
            guard place == nil else { return .failure(BlueZError.alreadyExists) }
            agents.append(AgentRecord(owner: call.sender, path: path, capability: capability))
        case "UnregisterAgent":
            guard let place, agents[place].path == path else { return .failure(BlueZError.doesNotExist) }
            agents.remove(at: place)
        default:
            guard let place, agents[place].path == path else { return .failure(BlueZError.doesNotExist) }
            for index in agents.indices { agents[index].isDefault = index == place }
        }
        return .success([])
    }

    /// The agent for a client: the client's agent, otherwise the default agent.
    func agent(for client: String?) -> AgentRecord? {
        agents.first { $0.owner == client } ?? agents.first { $0.isDefault }
    }

    /// Notifies every agent that it is no longer needed.
    mutating func releaseAgents() {
        for agent in agents {
            outputs.append(
                .tellAgent(.init(owner: agent.owner, path: agent.path, member: "Release", arguments: [])))
        }
        agents = []
    }
}
