package import DeviceKit
package import JSON
package import Messages

/// Counters of a device, or of the devices of a family, since the start of the bridge.
package struct DeviceCounters: Sendable {
    /// The number of links that were established.
    package var links = 0
    /// The number of values that the bridge received in notifications.
    package var notifications = 0
    /// The number of writes that were acknowledged, or accepted by the host's Bluetooth stack, and of writes that
    /// failed.
    package var writes = (done: 0, failed: 0)
    /// The number of commands that were answered with `ok`, and of commands that were refused or failed.
    package var commands = (done: 0, failed: 0)
    /// The number of published messages, by kind.
    package var messages = (states: 0, events: 0, streams: 0)
    /// The counters that the device's state machine increments, by their names.
    package var named: [String: Int] = [:]
    /// The durations of the newest commands; at most ``answerCapacity``.
    private(set) var answerTimes: [Duration] = []

    private static let answerCapacity = 1000

    package init() {}

    package mutating func count(write result: Result<[UInt8], OperationError>) {
        if case .success = result { writes.done += 1 } else { writes.failed += 1 }
    }

    package mutating func count(message policy: OutgoingMessage.Policy) {
        switch policy {
        case .state: messages.states += 1
        case .event: messages.events += 1
        case .stream: messages.streams += 1
        case .reply: break
        }
    }

    package mutating func count(answer: Answer, after time: Duration) {
        guard case .ok = answer else { return commands.failed += 1 }
        commands.done += 1
        if answerTimes.count < Self.answerCapacity { answerTimes.append(time) }
    }

    /// Returns the durations of the commands since the previous call. Only the first 1,000 durations are kept.
    package mutating func takeAnswerTimes() -> [Duration] {
        defer { answerTimes = [] }
        return answerTimes
    }

    /// Adds the counters of another device.
    package mutating func add(_ other: DeviceCounters) {
        links += other.links
        notifications += other.notifications
        writes = (writes.done + other.writes.done, writes.failed + other.writes.failed)
        commands = (commands.done + other.commands.done, commands.failed + other.commands.failed)
        messages = (
            messages.states + other.messages.states, messages.events + other.messages.events,
            messages.streams + other.messages.streams
        )
        named.merge(other.named, uniquingKeysWith: +)
    }

    /// The counters as the JSON object of the topic `stats`.
    package var object: JSON.Object {
        [
            "links": .integer(links), "notifications": .integer(notifications),
            "writes": .integer(writes.done), "failed_writes": .integer(writes.failed),
            "commands": .integer(commands.done), "failed_commands": .integer(commands.failed),
            "states": .integer(messages.states), "events": .integer(messages.events),
            "streams": .integer(messages.streams),
            "counts": .object(
                JSON.Object(named.sorted { $0.key < $1.key }.map { ($0.key, JSON.Value.integer($0.value)) })),
        ]
    }
}
