package import JSON
package import Reference

/// The messages from the console to a page, as JSON.
package enum Words {
    /// The version of the protocol between console and page.
    static let version = 1
    package static let messageLimit = 65_536

    /// - Parameter base: The prefix of every topic: empty, or with a slash at its end.
    package static func hello(_ session: Session, base: String, bridges: [String], maxDriveDelay: Int)
        -> JSON.Value
    {
        [
            "type": "hello", "version": .integer(version), "user": session.user.map { .string($0) } ?? .null,
            "roles": roles(session.roles), "base": .string(base),
            "bridges": .array(bridges.map { .string($0) }),
            "max_drive_delay_ms": .integer(maxDriveDelay),
            "limits": ["message_bytes": .integer(messageLimit), "events": .integer(TabFeed.eventLimit)],
        ]
    }

    package static func roles(_ roles: [Role]) -> JSON.Value { .array(roles.map { .string($0.rawValue) }) }

    package static func broker(isConnected: Bool, reason: String?) -> JSON.Value {
        ["type": "broker", "connected": .bool(isConnected), "reason": reason.map { .string($0) } ?? .null]
    }

    /// - Parameter roles: The roles that may publish on the topic.
    package static func may(id: String, isAllowed: Bool, roles: [Role]) -> JSON.Value {
        ["type": "may", "id": .string(id), "allowed": .bool(isAllowed), "roles": Words.roles(roles)]
    }

    /// The message that is sent every two seconds; a page that does not receive it has lost its connection.
    package static var beat: JSON.Value { ["type": "beat"] }

    /// Reports to a page that it has received all retained messages of its filters, after the page or the broker has
    /// connected.
    package static var snapshot: JSON.Value { ["type": "snapshot"] }

    package static func refused(id: String?, code: String, message: String, device: String? = nil)
        -> JSON.Value
    {
        var object: JSON.Object = [
            "type": "refused", "id": id.map { .string($0) } ?? .null, "code": .string(code),
            "message": .string(message),
        ]
        if let device { object["device"] = .string(device) }
        return .object(object)
    }

    package static func answer(id: String, topic: String, response: [UInt8]) -> JSON.Value {
        let value = (try? JSON.Value(parsing: response)) ?? .string(String(decoding: response, as: UTF8.self))
        return ["type": "answer", "id": .string(id), "topic": .string(topic), "response": value]
    }

    package static func stopped(_ outcome: StopDesk.Outcome) -> JSON.Value {
        func list(_ names: Set<String>) -> JSON.Value { .array(names.sorted().map { .string($0) }) }
        return [
            "type": "stopped", "id": .string(outcome.id), "confirmed": .bool(outcome.isConfirmed),
            "bridges": list(outcome.answered.subtracting([""])), "silent": list(outcome.silent),
            "unconfirmed": list(outcome.unconfirmed),
            "failed": .array(
                outcome.failed.sorted { $0.key < $1.key }.map {
                    ["device": .string($0.key), "message": .string($0.value)]
                }),
        ]
    }

    package static func tick(_ device: String, _ number: Int) -> JSON.Value {
        ["type": "tick", "device": .string(device), "n": .integer(number)]
    }

    /// - Parameter holder: The tab that holds the stick, the user's name, and the id that the page gave to the press.
    package static func stick(
        _ device: String, holder: (tab: Int, user: String?, hold: String)?, to tab: Int
    ) -> JSON.Value {
        let isYours = holder?.tab == tab
        // Only the page that pressed the stick receives the id of the press.
        let hold: JSON.Value = if let holder, isYours { .string(holder.hold) } else { .null }
        let name: JSON.Value = if let holder { .string(holder.user ?? "") } else { .null }
        return [
            "type": "stick", "device": .string(device), "holder": name, "yours": .bool(isYours), "hold": hold,
        ]
    }

    package static func over(_ device: String, hold: String, reason: String) -> JSON.Value {
        ["type": "hold_over", "device": .string(device), "hold": .string(hold), "reason": .string(reason)]
    }

    package static func roundTrip(_ device: String, _ time: Duration) -> JSON.Value {
        let milliseconds = (time / .microseconds(100)).rounded() / 10
        return ["type": "round_trip", "device": .string(device), "ms": .number(milliseconds)]
    }

    package static func bye(_ code: String, _ message: String) -> JSON.Value {
        ["type": "bye", "code": .string(code), "message": .string(message)]
    }
}
