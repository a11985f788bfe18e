import Bluetooth

/// The error log of a belt, as notified on `FE14`: a header, and as many entries as the header states
/// (`FSBeltErrorLog`).
struct BeltErrorLog: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var code: UInt32
        /// The time since the start of the session, in milliseconds.
        var milliseconds: UInt32
        var session: UInt16

        /// The error code in the form that is published on MQTT, such as `0x00000002`.
        var hexadecimal: String { BeltErrorLog.hexadecimal(code) }
    }

    /// A number that increases with every start of the belt.
    var session: UInt16
    /// The number of entries in the log.
    var count: UInt8
    /// The code of the oldest error; 0 for none.
    var first: UInt32
    /// The code of the newest error; 0 for none.
    var last: UInt32
    /// The entries that the belt has sent so far.
    var entries: [Entry] = []

    var isComplete: Bool { entries.count >= count }

    /// ``first`` in the form that is published on MQTT.
    var firstCode: String? { first == 0 ? nil : Self.hexadecimal(first) }
    /// ``last`` in the form that is published on MQTT.
    var lastCode: String? { last == 0 ? nil : Self.hexadecimal(last) }

    private static func hexadecimal(_ code: UInt32) -> String { "0x" + Hex.string(UInt64(code), digits: 8) }
}
