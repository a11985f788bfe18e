import DeviceKit

/// The timers of a session: when each runs out, and which come next.
struct TimerQueue: Sendable {
    /// What a timer is for.
    enum Key: Hashable, Sendable {
        /// One that the device's state machine started.
        case machine(TimerName)
        /// Look again whether to connect.
        case proceed
        /// A command that the state machine did not answer.
        case command(CommandID)
        /// The end of a device's time to close in good order.
        case closing
        /// Nobody else speaks for the device.
        case voice
    }

    private var deadlines: [Key: Duration] = [:]

    /// When the next timer runs out.
    var next: Duration? { deadlines.values.min() }

    mutating func start(_ key: Key, at deadline: Duration) { deadlines[key] = deadline }
    mutating func cancel(_ key: Key) { deadlines[key] = nil }

    /// Takes the timers that have run out, the earliest first.
    mutating func due(at now: Duration) -> [Key] {
        let due = deadlines.filter { $0.value <= now }.sorted { $0.value < $1.value }.map(\.key)
        for key in due { deadlines[key] = nil }
        return due
    }
}
