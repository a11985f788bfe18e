import DeviceKit
import JSON

/// A command in progress, or a write of a pattern.
struct Run: Sendable {
    var feature: Int
    /// The ID of the command; nil for a pattern.
    var command: CommandID?
    /// The field values of the command.
    var values: JSON.Object
    /// The index of the current step.
    var step = 0
    var answer = Answer.ok([:])
    /// The last bytes written to each characteristic.
    var written: [Int: [UInt8]] = [:]
    var isPattern = false
}

/// A queue of commands. One command runs at a time.
struct Lane: Sendable {
    /// The maximum number of waiting commands.
    static let limit = 64

    var waiting: [Run] = []
    var current: Run?
    /// The earliest start of the next command.
    var free = Duration.zero

    /// Removes all commands and returns the IDs of those that need an answer.
    mutating func clear() -> [CommandID] {
        let ids = ((current.map { [$0] } ?? []) + waiting).compactMap(\.command)
        (waiting, current) = ([], nil)
        return ids
    }
}

/// The progress of a write and its follow-up.
struct Execution: Sendable {
    enum Owner: Hashable, Sendable {
        case setup
        case lane(Int)
    }

    /// The event that the execution waits for.
    enum Stage: Hashable, Sendable {
        /// The completion of this many writes.
        case writing(Int)
        /// A notification of the device.
        case waiting
        /// The value that is read back.
        case reading
        /// The end of a pause.
        case pausing
    }

    let owner: Owner
    let step: WriteStep
    let bytes: [UInt8]
    var stage: Stage
    var waiter: Waiter?
}
