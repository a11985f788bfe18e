package import DeviceKit
import JSON

/// Detects another process with this bridge's id on the broker, and decides which of the two exits.
///
/// Each process draws a random identifier at its start. All processes of one id publish their echoes on the same
/// topic. Each process receives the echoes of the others and answers them on that topic. An answer is valid only if it
/// names an echo or the identifier of this process. Such an answer comes from a running process and not from a
/// retained message.
///
/// A process is established once it publishes. An established process yields only to a process that answers several
/// echoes over some seconds, so that a forged message cannot stop it.
///
/// A process that is not established yields to an established one. So the process that was started later yields,
/// whatever the clocks of the hosts show. If both are established, or neither is, the process with the later start
/// date yields. With equal dates, the process with the greater identifier yields. `isEstablished` never becomes false
/// again. So the two processes never both yield, and one yields once each has received an answer of the other.
package struct TwinWatch: Sendable {
    package struct Twin: Hashable, Sendable {
        package var instance: String
        package var host: String
        /// The start date of the process, by its host's clock.
        package var started: String
    }

    /// What this process does after a message on the echo topic.
    package enum Reaction: Hashable, Sendable {
        case nothing
        /// Publish this payload on the echo topic.
        case answer([UInt8])
        /// Send another echo after ``TwinWatch/proofTime``: the other process must answer more echoes.
        case ask
        /// Exit, since the other process stays.
        case yield(to: Twin)
    }

    /// The maximum number of answers that this process sends per second.
    private static let limit = 10
    /// The maximum number of other processes that this process keeps track of.
    private static let capacity = 16
    /// The number of answered echoes after which an established process yields. The echoes are at least ``proofTime``
    /// apart.
    private static let proofs = 4
    package static let proofTime = Duration.seconds(1)

    private let own: Twin
    /// Whether this process publishes.
    package private(set) var isEstablished = false
    /// Whether an echo (a message to this process itself) returned on this broker connection.
    package private(set) var hasEcho = false
    /// The processes to which this process sent an answer that names their identifier, and whether this process was
    /// established at that time.
    private var informed: [String: Bool] = [:]
    private var answers: [Duration] = []
    /// The established processes to which this process would yield: the number of their valid answers, and the time of
    /// the last answer.
    private var rivals: [String: (count: Int, last: Duration)] = [:]

    package init(host: String, started: TimeStamp, instance: UInt64 = .random(in: .min ... .max)) {
        own = Twin(instance: String(instance, radix: 36), host: host, started: started.description)
    }

    /// Records a new connection to the broker.
    package mutating func connected() { hasEcho = false }

    /// Records that an echo (a message to this process itself) returned from the broker.
    ///
    /// - Returns: Whether it is the first echo on this broker connection.
    package mutating func echoReturned() -> Bool {
        defer { hasEcho = true }
        return !hasEcho
    }

    /// Records that this process publishes from now on.
    package mutating func establish() { isEstablished = true }

    /// Handles a message on the echo topic that is not an echo of this broker connection.
    ///
    /// - Parameter isOwnEcho: Returns whether a text is an echo of this process.
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

    /// Counts a valid answer of an established process. Yields if that process has answered enough echoes; otherwise
    /// requests another answer.
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
