import Bluetooth

/// The errors that a belt remembers, as `FE14` brings them: a header, and as many entries as it says
/// (`FSBeltErrorLog`).
struct BeltErrorLog: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var code: UInt32
        /// Since the start of its session.
        var milliseconds: UInt32
        var session: UInt16

        /// `0x00000002`
        var hexadecimal: String { BeltErrorLog.hexadecimal(code) }
    }

    /// Counts the belt's starts.
    var session: UInt16
    /// How many entries there are.
    var count: UInt8
    /// The oldest error's code; 0 for none.
    var first: UInt32
    /// The newest error's code; 0 for none.
    var last: UInt32
    /// The entries so far.
    var entries: [Entry] = []

    /// Whether the belt has told everything.
    var isComplete: Bool { entries.count >= count }

    /// ``first`` as it is published.
    var firstCode: String? { first == 0 ? nil : Self.hexadecimal(first) }
    /// ``last`` as it is published.
    var lastCode: String? { last == 0 ? nil : Self.hexadecimal(last) }

    private static func hexadecimal(_ code: UInt32) -> String { "0x" + Hex.string(UInt64(code), digits: 8) }
}
