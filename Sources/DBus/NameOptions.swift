/// Options of a request for a bus name.
public struct NameOptions: OptionSet, Sendable, Hashable {
    /// The flags of `RequestName` in the D-Bus specification.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Other connections may replace the owner.
    public static let allowReplacement = NameOptions(rawValue: 1)
    /// Replaces the current owner if it allows replacement.
    public static let replaceExisting = NameOptions(rawValue: 2)
    /// Does not wait in the queue if the name has an owner.
    public static let doNotQueue = NameOptions(rawValue: 4)
}
