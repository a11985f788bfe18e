package import DeviceKit
package import JSON
package import Messages

/// What happened to a device, or to the devices of a family, since the bridge was started.
package struct DeviceCounters: Sendable {
    /// Links that were made.
    package var links = 0
    /// Values that devices notified: what came in.
    package var notifications = 0
    /// Writes that were acknowledged, or taken by the host's Bluetooth stack, and those that failed.
    package var writes = (done: 0, failed: 0)
    /// Commands that were answered `ok`, and those that were refused or failed.
    package var commands = (done: 0, failed: 0)
    /// Messages that were published: what went out, an event or a state by its kind.
    package var messages = (states: 0, events: 0, streams: 0)
    /// What the state machines counted, by name.
    package var named: [String: Int] = [:]
    /// How long the newest commands took.
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

    /// Gives the times of the commands that were carried out since it was asked last; of very many, the first ones.
    package mutating func takeAnswerTimes() -> [Duration] {
        defer { answerTimes = [] }
        return answerTimes
    }

    /// Adds what another device's counters have.
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

    /// The counters as `stats` shows them.
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
