/// Says how a bus name is asked for.
public struct NameOptions: OptionSet, Sendable, Hashable {
    /// The flags of `RequestName` in the D-Bus specification.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Others may take the name away.
    public static let allowReplacement = NameOptions(rawValue: 1)
    /// Take the name away from an owner that allows it.
    public static let replaceExisting = NameOptions(rawValue: 2)
    /// Do not wait in the queue for a name that has an owner.
    public static let doNotQueue = NameOptions(rawValue: 4)
}
