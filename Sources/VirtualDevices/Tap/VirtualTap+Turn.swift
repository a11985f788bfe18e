import Bluetooth

extension VirtualTap {
    /// One stimulus being handled: the time, and the reactions so far.
    struct Turn {
        let now: Duration
        var reactions: [Reaction] = []

        mutating func notify(_ id: CharacteristicID, _ bytes: [UInt8]) {
            reactions.append(.notify(id, bytes))
        }

        mutating func report(_ event: String, _ details: [String: String]) {
            reactions.append(.report(.other(event: event, details)))
        }

        mutating func reject(_ id: CharacteristicID, _ error: Rejected) {
            report("rejected", ["characteristic": id.uuid.description, "reason": error.reason])
        }

        mutating func start(_ timer: Timer, after delay: Duration) {
            reactions.append(.startTimer(timer.rawValue, after: delay))
        }

        mutating func cancel(_ timer: Timer) { reactions.append(.cancelTimer(timer.rawValue)) }
    }

    /// The timers of a TAP, by name.
    enum Timer: String {
        case mode
        case command
        case raw
        case hand
        case vibration
        case battery
        case pairing
        case keepAlive
    }

    /// A write that the TAP does not carry out, and why.
    struct Rejected: Error {
        var reason: String
        /// The ATT error code, where the protocol demands one.
        var code: UInt8?

        init(_ reason: String, code: UInt8? = nil) {
            self.reason = reason
            self.code = code
        }
    }
}
