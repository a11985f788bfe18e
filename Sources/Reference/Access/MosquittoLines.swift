/// The recommended settings of Mosquitto for a bridge (mosquitto.conf(5)); supported by versions 2.0 and 2.1.
package enum MosquittoLines {
    /// The largest payload that a client needs to send, in bytes. It is sufficient for a list of thousands of devices,
    /// and is sixteen times the size of the largest command.
    package static let payloadLimit = 1_048_576

    /// The maximum number of messages that are queued for a slow client. The value is not 0 (no limit): with 0,
    /// Mosquitto 2.0.11 disconnects a client that publishes a message that the access list denies.
    package static let queue = "max_queued_messages 100000"

    /// The lines of the configuration, each with the reason.
    static let all: [(line: String, reason: String)] = [
        (
            "message_size_limit \(payloadLimit)",
            "a payload takes twice its size in the memory of each receiver"
        ),
        ("max_packet_size 2000000", "the same for the rest of a message; the default since Mosquitto 2.1"),
        (
            queue,
            "by default a client's queue drops messages beyond 1,000; 0 is not a substitute"
        ),
        ("max_inflight_messages 200", "by default only 20 messages at a time may wait for acknowledgment"),
        ("set_tcp_nodelay true", "by default an answer is delayed by up to 40 ms"),
    ]

    /// The lines as a comment in a file that is not Mosquitto's configuration.
    static var comment: [String] {
        ["# In mosquitto.conf, not in this file:"] + all.map { "#   \($0.line)   # \($0.reason)" }
    }

    /// Instructions for users whose broker does not limit the size of messages: the recommended lines of
    /// mosquitto.conf.
    package static var remedies: [String] {
        ["in mosquitto.conf, then sudo systemctl restart mosquitto:"] + all.map(\.line)
    }
}
