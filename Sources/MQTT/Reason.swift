/// The reason of a broker's refusal: a reason code of MQTT 5, or its equivalent in 3.1.1 or the library.
public struct Reason: Sendable, Hashable, CustomStringConvertible {
    /// The reason code (MQTT 5, section 2.4), such as 0x87; nil if none was sent.
    public var code: UInt8?
    /// The reason as text.
    public var description: String

    /// Creates a reason from text.
    public init(_ description: String) {
        code = nil
        self.description = description
    }

    /// Creates a reason from a code, and the broker's reason string if it sent one.
    public init(code: UInt8, words: String? = nil) {
        self.code = code
        description = words ?? Self.words[code] ?? "reason code \(code)"
    }

    /// Whether a single message caused the refusal, not the connection as a whole.
    var blamesMessage: Bool {
        switch code {
        case 0x81, 0x82, 0x90, 0x94, 0x95, 0x99, 0x9A, 0x9B: true
        default: false
        }
    }

    private static let words: [UInt8: String] = [
        0x04: "disconnect with will message", 0x80: "unspecified error", 0x81: "malformed packet",
        0x82: "protocol error", 0x83: "implementation specific error", 0x84: "unsupported protocol version",
        0x85: "client identifier not valid", 0x86: "bad user name or password", 0x87: "not authorized",
        0x88: "server unavailable", 0x89: "server busy", 0x8A: "banned", 0x8B: "server shutting down",
        0x8C: "bad authentication method", 0x8D: "keep alive timeout", 0x8E: "session taken over",
        0x8F: "topic filter invalid", 0x90: "topic name invalid", 0x91: "packet identifier in use",
        0x93: "receive maximum exceeded", 0x94: "topic alias invalid", 0x95: "packet too large",
        0x96: "message rate too high", 0x97: "quota exceeded", 0x98: "administrative action",
        0x99: "payload format invalid", 0x9A: "retain not supported", 0x9B: "QoS not supported",
        0x9C: "use another server", 0x9D: "server moved", 0x9E: "shared subscriptions not supported",
        0x9F: "connection rate exceeded", 0xA0: "maximum connect time",
        0xA1: "subscription identifiers not supported", 0xA2: "wildcard subscriptions not supported",
    ]
}
