package import DeviceKit
import JSON

/// Finds out whether another process runs with this bridge's id on the broker, and which of the two ends.
///
/// Each process draws an identifier at its start. All processes of one id use one topic for their echoes, so each
/// receives the echoes of the others, and answers them on the same topic. Only an answer that names an echo or the
/// identifier of this process counts: it comes from a process that runs now, and not from anything that is retained.
///
/// An established process yields only to one that answers several echoes over some seconds, so that a forged message
/// does not end it.
///
/// A process is established once it publishes. One that is not established yields to an established one, so that the
/// one that was started later yields whatever the clocks of the hosts say. If both are alike, the later start time by
/// the calendar yields, then the greater identifier. `isEstablished` never becomes false again, so that two processes
/// never both yield, and one of them does once each has received an answer of the other.
package struct TwinWatch: Sendable {
    /// Another process with this bridge's id.
    package struct Twin: Hashable, Sendable {
        /// Its identifier.
        package var instance: String
        /// The host that it runs on.
        package var host: String
        /// When it was started, by its host's calendar.
        package var started: String
    }

    /// What follows from a message on the topic of the echoes.
    package enum Reaction: Hashable, Sendable {
        case nothing
        /// Publish this on the topic of the echoes.
        case answer([UInt8])
        /// Send another echo in ``TwinWatch/proofTime``, since the other process has to answer more of them.
        case ask
        /// End, since the other process stays.
        case yield(to: Twin)
    }

    /// How many answers are sent in a second at most.
    private static let limit = 10
    /// How many processes are remembered.
    private static let capacity = 16
    /// How many echoes an established process wants answered before it yields, and how long each takes at least.
    private static let proofs = 4
    package static let proofTime = Duration.seconds(1)

    private let own: Twin
    /// Whether this process publishes.
    package private(set) var isEstablished = false
    /// Whether an echo came back on this connection.
    package private(set) var hasEcho = false
    /// The processes that were answered by their identifier, and whether this one was established then.
    private var informed: [String: Bool] = [:]
    private var answers: [Duration] = []
    /// The established processes to which this one would yield: how many answers counted, and when the last one did.
    private var rivals: [String: (count: Int, last: Duration)] = [:]

    package init(host: String, started: TimeStamp, instance: UInt64 = .random(in: .min ... .max)) {
        own = Twin(instance: String(instance, radix: 36), host: host, started: started.description)
    }

    /// Notes that the connection to the broker is new.
    package mutating func connected() { hasEcho = false }

    /// Notes that an echo of this process came back.
    ///
    /// - Returns: Whether it is the first one on this connection.
    package mutating func echoReturned() -> Bool {
        defer { hasEcho = true }
        return !hasEcho
    }

    /// Notes that this process publishes from now on.
    package mutating func establish() { isEstablished = true }

    /// Judges a message on the topic of the echoes that is no echo of this connection.
    ///
    /// - Parameter isOwnEcho: Whether a text is an echo of this process.
    package mutating func heard(_ text: String, at now: Duration, isOwnEcho: (String) -> Bool) -> Reaction {
        guard text.hasPrefix("{") else { return answer(to: text, at: now) }
        guard let message = try? JSON.Value(parsing: Array(text.utf8)),
            let instance = message["instance"]?.string, instance != own.instance,
            let receiver = message["to"]?.string, receiver == own.instance || isOwnEcho(receiver),
            let isTheirs = message["established"]?.bool, let started = message["started"]?.string
        else { return .nothing }
        let twin = Twin(instance: instance, host: message["host"]?.string ?? "", started: started)
        let isLater = (twin.started, twin.instance) < (own.started, own.instance)
        if isTheirs == isEstablished ? isLater : isTheirs {
            return isEstablished ? weigh(twin, at: now) : .yield(to: twin)
        }
        guard informed[instance] != isEstablished else { return .nothing }
        if informed.count >= Self.capacity { informed = [:] }
        informed[instance] = isEstablished
        return answer(to: instance, at: now)
    }

    /// Yields to a process that has answered often enough; asks on before.
    private mutating func weigh(_ twin: Twin, at now: Duration) -> Reaction {
        let known = rivals[twin.instance].flatMap { now - $0.last <= Self.proofTime * 5 ? $0 : nil }
        if let known, now - known.last < Self.proofTime { return .nothing }
        let count = (known?.count ?? 0) + 1
        guard count < Self.proofs else { return .yield(to: twin) }
        if rivals.count >= Self.capacity { rivals = [:] }
        rivals[twin.instance] = (count, now)
        return .ask
    }

    private mutating func answer(to receiver: String, at now: Duration) -> Reaction {
        answers.removeAll { now - $0 >= .seconds(1) }
        guard answers.count < Self.limit else { return .nothing }
        answers.append(now)
        let message: JSON.Value = [
            "instance": .string(own.instance), "to": .string(receiver), "host": .string(own.host),
            "started": .string(own.started), "established": .bool(isEstablished),
        ]
        return .answer(message.bytes)
    }
}
