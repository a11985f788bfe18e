import Bluetooth
package import BridgeContract
import JSON

/// The format of the state file: readable JSON, with one device or topic on each line.
///
/// Version 1:
/// `{"version":1,"devices":[{"address","family","name","joined","held","former_names","memory","input",
/// "settings"}],
/// "retained_topics":[…],"defaults":{"<family>":{"<setting>":…}}}`
package enum StateDocument {
    /// The reason why the text of a state file is not valid.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    private static let version = 1

    package static func bytes(_ state: BridgeState) -> [UInt8] {
        let devices = state.devices.map { device in
            var object: JSON.Object = [
                "address": .string(device.address.description), "family": .string(device.family),
                "name": .string(device.name), "joined": .bool(device.isJoined),
                "held": .bool(device.isUserDisconnected),
                "former_names": .array(device.formerNames.map { .string($0) }),
                "memory": .object(device.memory),
            ]
            if device.isInput { object["input"] = true }
            if !device.settings.isEmpty { object["settings"] = .object(device.settings) }
            return JSON.Value.object(object)
        }
        var text = Array("{\n  \"version\": \(version),\n  \"devices\": ".utf8)
        write(devices, to: &text)
        text += ",\n  \"retained_topics\": ".utf8
        write(state.retainedTopics.sorted().map { .string($0) }, to: &text)
        if !state.defaults.isEmpty {
            let families = state.defaults.sorted { $0.key < $1.key }
            let defaults = JSON.Object(families.map { ($0.key, .object($0.value)) })
            text += ",\n  \"defaults\": ".utf8
            JSON.Value.object(defaults).write(to: &text)
        }
        text += "\n}\n".utf8
        return text
    }

    /// Parses a state.
    ///
    /// - Throws: ``Failure`` with the problem in words.
    package static func state(_ bytes: [UInt8]) throws(Failure) -> BridgeState {
        let value: JSON.Value
        do { value = try JSON.Value(parsing: bytes) } catch {
            throw Failure(description: "not valid JSON: \(error)")
        }
        guard let version = value["version"]?.integer else {
            throw Failure(description: "the key version is missing")
        }
        guard version == Self.version else {
            throw Failure(description: "version \(version), but this program supports \(Self.version)")
        }
        guard let devices = value["devices"]?.array, let topics = value["retained_topics"]?.array else {
            throw Failure(description: "the list devices or retained_topics is missing")
        }
        var state = BridgeState()
        for (index, entry) in devices.enumerated() {
            guard let address = entry["address"]?.string.flatMap({ Address($0[...]) }),
                let family = entry["family"]?.string, let name = entry["name"]?.string,
                let memory = entry["memory"]?.object
            else {
                throw Failure(description: "devices[\(index)]: address, family, name or memory is missing")
            }
            state[address] = BridgeState.Device(
                address: address, family: family, name: name, memory: memory,
                isJoined: entry["joined"]?.bool ?? true, isUserDisconnected: entry["held"]?.bool ?? false,
                formerNames: entry["former_names"]?.array?.compactMap(\.string) ?? [],
                isInput: entry["input"]?.bool ?? false, settings: entry["settings"]?.object ?? [:])
        }
        for (index, entry) in topics.enumerated() {
            guard let topic = entry.string else {
                throw Failure(description: "retained_topics[\(index)]: not text")
            }
            state.retainedTopics.insert(topic)
        }
        for member in value["defaults"]?.object?.members ?? [] {
            state.defaults[member.key] = member.value.object
        }
        return state
    }

    private static func write(_ values: [JSON.Value], to text: inout [UInt8]) {
        guard !values.isEmpty else { return text += "[]".utf8 }
        for (index, value) in values.enumerated() {
            text += index == 0 ? "[\n    ".utf8 : ",\n    ".utf8
            value.write(to: &text)
        }
        text += "\n  ]".utf8
    }
}
