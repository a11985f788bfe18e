package import DeviceKit
import JSON

/// The groups of the fleet: the retained message on `roster/groups`.
///
/// `{"v":1,"groups":{"wearers":["belt","hall/belt"]},"by":"fleet","time":"2026-01-31T12:00:00.000Z"}`
package struct RosterGroups: Hashable, Sendable {
    /// The topic level, which differs from every device's address.
    package static let key = "groups"

    package var groups: [BridgeSettings.Group]
    package var by: String
    package var time: TimeStamp

    package init(groups: [BridgeSettings.Group], by: String, time: TimeStamp) {
        self.groups = groups
        self.by = by
        self.time = time
    }

    package var payload: [UInt8] {
        let members = groups.map { group in
            (group.name, JSON.Value.array(group.members.map { .string($0) }))
        }
        let object: JSON.Object = [
            "v": .integer(RosterEntry.version), "groups": .object(JSON.Object(members)), "by": .string(by),
            "time": .string(time.description),
        ]
        return JSON.Value.object(object).bytes
    }
}
