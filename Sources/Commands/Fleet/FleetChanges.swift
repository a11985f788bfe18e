import Bluetooth
package import BridgeConfiguration
import BridgeContract
package import DeviceKit
import JSON
package import Messages

/// The changes that a fleet file makes to the roster: the list of devices and groups that the broker holds for all
/// bridges.
package struct FleetChanges: Sendable {
    /// A changed message of the roster.
    struct Change: Sendable {
        enum Kind: String, Sendable { case added, changed, removed }

        var kind: Kind
        /// The name of the changed entry for users: `belt C0:FF:EE:00:BE:01 belt`.
        var subject: String
        /// The differences from the previous entry, one per line.
        var details: [String] = []
        var topic: String
        /// The payload of the message; empty to clear the retained message.
        var payload: [UInt8]
    }

    private(set) var changes: [Change] = []
    /// The number of roster entries that the file does not contain and that are not removed.
    package private(set) var kept = 0

    /// The writer's name in messages, which is not a bridge's id.
    private static let writer = "fleet"

    /// - Parameters:
    ///   - prunes: Whether entries that are not in the file are removed.
    ///   - time: The current time.
    package init(_ file: FleetFile, on fleet: FleetSnapshot, prunes: Bool, at time: TimeStamp) {
        for device in file.devices {
            let device = RosterEntry(
                address: device.device.address, name: device.device.name, family: device.device.family,
                settings: device.settings, preferred: device.preferred, appearance: device.device.appearance,
                by: Self.writer, time: time)
            let before = fleet.roster[device.address]
            guard !device.isSame(as: before) else { continue }
            changes.append(
                Change(
                    kind: before == nil ? .added : .changed, subject: device.subject,
                    details: before.map { device.differences(from: $0) } ?? [],
                    topic: fleet.topic(of: device.address), payload: device.payload))
        }
        let named = Set(file.devices.map(\.device.address))
        let others = fleet.roster.values.filter { !named.contains($0.address) }.sorted { $0.name < $1.name }
        kept = prunes ? 0 : others.count
        for entry in prunes ? others : [] {
            changes.append(
                Change(
                    kind: .removed, subject: entry.subject, topic: fleet.topic(of: entry.address), payload: []
                ))
        }
        add(file.groups ?? (prunes ? [] : nil), fleet, time)
    }

    private mutating func add(_ wanted: [BridgeSettings.Group]?, _ fleet: FleetSnapshot, _ time: TimeStamp) {
        let before = fleet.groups?.groups ?? []
        guard let wanted, wanted != before else { return }
        let old = Dictionary(before.map { ($0.name, $0.members) }) { first, _ in first }
        let new = Dictionary(wanted.map { ($0.name, $0.members) }) { first, _ in first }
        let details =
            wanted.filter { old[$0.name] != $0.members }.map {
                "\($0.name): \($0.members.joined(separator: " "))"
            } + before.filter { new[$0.name] == nil }.map { "\($0.name): removed" }
        changes.append(
            Change(
                kind: before.isEmpty ? .added : wanted.isEmpty ? .removed : .changed, subject: "groups",
                details: details, topic: fleet.groupsTopic,
                payload: wanted.isEmpty
                    ? [] : RosterGroups(groups: wanted, by: Self.writer, time: time).payload))
    }

    package var isEmpty: Bool { changes.isEmpty }

    /// The lines for users: one line for each change, followed by the differences.
    package var lines: [String] {
        changes.flatMap { change in
            ["\(change.kind.rawValue)  \(change.subject)"] + change.details.map { "  \($0)" }
        }
    }

    /// The roster messages that make the changes when they are published.
    package var messages: [OutgoingMessage] {
        changes.map { OutgoingMessage(topic: $0.topic, payload: $0.payload, policy: .state) }
    }
}

extension RosterEntry {
    /// The device's name for users.
    var subject: String { "\(name)  \(address)  \(family)" }

    /// Returns the differences from another entry of the same device, one per line.
    func differences(from before: RosterEntry) -> [String] {
        let (new, old) = (object, before.object)
        return ["name", "family", "settings", "preferred", "appearance"].compactMap { key in
            guard new[key] != old[key] else { return nil }
            func text(_ value: JSON.Value?) -> String { value.map { "\($0)" } ?? "nothing" }
            return "\(key): \(text(old[key])) -> \(text(new[key]))"
        }
    }
}
