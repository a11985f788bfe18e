/// The location and the reason of a JSON syntax error.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason of the error, as text.
    public var reason: String
    /// The path inside the value, such as `events[2].time`; empty at the top level.
    public var path: String
    /// The offset of the byte at which the error was found, from 0.
    public var offset: Int

    /// `events[2].time: expected a number, at byte 41`
    public var description: String {
        (path.isEmpty ? "" : "\(path): ") + "\(reason), at byte \(offset)"
    }
}
