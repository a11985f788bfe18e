import Bluetooth
import BridgeContract
import JSON

/// The roster as a file that `fleet apply` reads. All values are in YAML's JSON form.
extension FleetSnapshot {
    /// The lines of the file.
    package var exported: [String] {
        let devices = roster.values.sorted { $0.name < $1.name }
        let groups = (self.groups?.groups ?? []).map { group in
            (group.name, JSON.Value.array(group.members.map { .string($0) }))
        }
        return refused.sorted { $0.key < $1.key }
            .map { "# Not exported: \($0.key): bridges refuse it: \($0.value)" }
            + section("devices", devices.map { ($0.name, Self.device($0)) }) + section("groups", groups)
    }

    private func section(_ name: String, _ members: [(key: String, value: JSON.Value)]) -> [String] {
        guard !members.isEmpty else { return ["\(name): {}"] }
        return ["\(name):"] + members.map { "  \(JSON.Value.string($0.key)): \($0.value)" }
    }

    private static func device(_ entry: RosterEntry) -> JSON.Value {
        var object: JSON.Object = [
            "family": .string(entry.family), "address": .string(entry.address.description),
        ]
        let message = entry.object
        if !entry.preferred.isEmpty { object["preferred"] = message["preferred"] }
        for part in [message["appearance"]?.object, entry.settings] {
            for member in part?.members ?? [] { object[member.key] = member.value }
        }
        return .object(object)
    }
}
