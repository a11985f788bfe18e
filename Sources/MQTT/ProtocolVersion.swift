/// A version of the MQTT protocol.
public enum ProtocolVersion: String, Sendable, Hashable, CustomStringConvertible {
    /// MQTT 3.1.1, which has no properties and no reason codes.
    case v311 = "3.1.1"
    /// MQTT 5.
    case v5 = "5"

    /// The version number: `5` or `3.1.1`.
    public var description: String { rawValue }
}
