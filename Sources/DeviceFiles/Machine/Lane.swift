import DeviceKit
import JSON

/// A command that is queued or in progress, or a write of a haptic pattern.
struct Run: Sendable {
    var feature: Int
    /// The ID of the command; nil for a write that no command requested.
    var command: CommandID?
    /// The values of the command's fields.
    var values: JSON.Object
    var step = 0
    var answer = Answer.ok([:])
    /// The last bytes written to each characteristic.
    var written: [Int: [UInt8]] = [:]
    var isPattern = false
}

/// A queue of commands, of which one runs at a time. Commands of different lanes run independently of each other.
struct Lane: Sendable {
    /// The maximum number of commands that wait in the lane.
    static let limit = 64

    var waiting: [Run] = []
    var current: Run?
    /// The earliest time at which the next command can start.
    var free = Duration.zero

    /// Removes all commands and returns the IDs of those that need an answer.
    ///
    /// - Parameter keepsWaiting: Whether commands that have not started remain.
    mutating func clear(keepsWaiting: Bool = false) -> [CommandID] {
        let dropped = (current.map { [$0] } ?? []) + (keepsWaiting ? [] : waiting)
        current = nil
        if !keepsWaiting { waiting = [] }
        return dropped.compactMap(\.command)
    }
}

/// The progress of a step, which consists of a write and of the wait, read or pause that follows.
struct Execution: Sendable {
    enum Owner: Hashable, Sendable {
        case setup
        case lane(Int)
    }

    /// The event that must occur before the execution continues.
    enum Stage: Hashable, Sendable {
        /// This number of writes must be completed.
        case writing(Int)
        /// The device must send a notification.
        case waiting
        /// The device must answer the read.
        case reading
        /// The pause must end.
        case pausing
    }

    let owner: Owner
    let step: WriteStep
    let bytes: [UInt8]
    var stage: Stage
    var waiter: Waiter?
}
