import DeviceKit
import JSON
import YAML

// What the bridge does for an action, in addition to publishing it.
extension GestureFileReader {
    private static let commandCounts = 1...8

    /// Reads the commands of each action, the feedback first.
    mutating func commands(
        _ tree: YAMLTree, _ actions: [String], _ family: any DeviceFamily
    ) -> [String: [DeviceCommand]] {
        guard case .mapping(let members) = tree.content else {
            complain(tree, "actions", "a mapping of actions to what they do")
            return [:]
        }
        var commands: [String: [DeviceCommand]] = [:]
        for member in members {
            guard actions.contains(member.key) else {
                complain(
                    at: member.place, "actions", found: member.key,
                    actions.isEmpty
                        ? "nothing, because no gesture has an action"
                        : "an action of a gesture: \(actions.joined(separator: " "))")
                continue
            }
            commands[member.key] = self.commands(member.value, "actions.\(member.key)", family)
        }
        return commands
    }

    private mutating func commands(
        _ tree: YAMLTree, _ key: String, _ family: any DeviceFamily
    ) -> [DeviceCommand] {
        guard let members = mapping(tree, key, ["feedback", "commands"]) else { return [] }
        if members.isEmpty { complain(tree, key, "feedback or commands or both") }
        var commands: [DeviceCommand] = []
        if let place = members["feedback"] {
            let pattern = word(place) ?? ""
            if pattern.isEmpty {
                complain(place, "\(key).feedback", "the name of a pattern")
            } else if family.feature(Feature.hapticName)?.command == nil {
                complain(
                    place, "\(key).feedback", "no feedback, because a \(family.displayName) cannot vibrate")
            } else {
                let command = DeviceCommand(
                    feature: Feature.hapticName, payload: ["pattern": .string(pattern)])
                commands.append(add(command, place, "\(key).feedback"))
            }
        }
        guard let place = members["commands"] else { return commands }
        guard case .sequence(let elements) = place.content, Self.commandCounts.contains(elements.count) else {
            complain(place, "\(key).commands", "a list of 1...8 commands")
            return commands
        }
        for (index, element) in elements.enumerated() {
            let key = "\(key).commands[\(index)]"
            guard let members = mapping(element, key, ["device", "command", "payload"]),
                let device = required(members, "device", element, key),
                let feature = required(members, "command", element, key)
            else { continue }
            guard let name = word(device), !name.isEmpty else {
                complain(device, "\(key).device", "the name of a device")
                continue
            }
            guard let command = word(feature), !command.isEmpty else {
                complain(feature, "\(key).command", "the name of a command")
                continue
            }
            let payload = members["payload"]?.value ?? [:]
            commands.append(
                add(DeviceCommand(device: name, feature: command, payload: payload), element, key))
        }
        return commands
    }

    private mutating func add(_ command: DeviceCommand, _ tree: YAMLTree, _ key: String) -> DeviceCommand {
        placed.append(GestureFile.PlacedCommand(place: "\(path):\(tree.place): \(key)", command: command))
        return command
    }
}
