import DeviceKit
import JSON

/// One command on its way, or what a pattern writes.
struct Run: Sendable {
    /// The index of the feature.
    var feature: Int
    /// Who asked for it; nil for a pattern.
    var command: CommandID?
    /// The fields.
    var values: JSON.Object
    /// The index of the present step.
    var step = 0
    var answer = Answer.ok([:])
    /// What was written to each characteristic last.
    var written: [Int: [UInt8]] = [:]
    /// Whether a pattern writes it.
    var isPattern = false
}

/// The commands that wait for each other, in order.
struct Lane: Sendable {
    /// How many may wait.
    static let limit = 64

    var waiting: [Run] = []
    var current: Run?
    /// Before this moment no command begins.
    var free = Duration.zero

    /// All commands that are to be answered, and none any more.
    mutating func clear() -> [CommandID] {
        let ids = ((current.map { [$0] } ?? []) + waiting).compactMap(\.command)
        (waiting, current) = ([], nil)
        return ids
    }
}

/// A write and what follows it, as far as it is.
struct Execution: Sendable {
    /// Whose step it is.
    enum Owner: Hashable, Sendable {
        /// The setup's.
        case setup
        /// That of the command that is under way in a lane.
        case lane(Int)
    }

    /// What is waited for.
    enum Stage: Hashable, Sendable {
        /// So many writes.
        case writing(Int)
        /// The device's word.
        case waiting
        /// The value that is read back.
        case reading
        /// Time.
        case pausing
    }

    let owner: Owner
    let step: WriteStep
    let bytes: [UInt8]
    var stage: Stage
    var waiter: Waiter?
}
