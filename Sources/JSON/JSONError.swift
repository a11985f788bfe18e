/// Says where a text stops being JSON, and why.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in words.
    public var reason: String
    /// The place inside the value, such as `events[2].time`; empty at the top.
    public var path: String
    /// The byte at which it was noticed, counted from 0.
    public var offset: Int

    /// `events[2].time: expected a number, at byte 41`
    public var description: String {
        (path.isEmpty ? "" : "\(path): ") + "\(reason), at byte \(offset)"
    }
}
