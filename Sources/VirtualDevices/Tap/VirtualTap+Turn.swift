import Bluetooth

extension VirtualTap {
    typealias Turn = DeviceTurn<Timer>

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

    /// A write that the TAP rejects, with the reason.
    struct Rejected: Error {
        var reason: String
        /// The ATT error code of the rejection, if the protocol requires a certain code.
        var code: UInt8?

        init(_ reason: String, code: UInt8? = nil) {
            self.reason = reason
            self.code = code
        }
    }
}

extension VirtualTap.Turn {
    mutating func reject(_ id: CharacteristicID, _ error: VirtualTap.Rejected) {
        report("rejected", ["characteristic": id.uuid.description, "reason": error.reason])
    }
}
