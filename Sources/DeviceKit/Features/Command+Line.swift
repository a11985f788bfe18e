import JSON

extension Command {
    /// A line for a shell that sends the declared example to a topic: `mosquitto_pub -t belt/mode/set -m app`.
    ///
    /// - Parameter topic: The topic, without what a shell would read as its own.
    public func line(topic: String) -> String { Self.line(topic: topic, example) }

    /// A line for a shell that sends what a refusal suggests; nil where it suggests nothing.
    ///
    /// - Parameter topic: The topic, without what a shell would read as its own.
    public func suggestedLine(topic: String) -> String? {
        suggestion.map { Self.line(topic: topic, $0) }
    }

    private static func line(topic: String, _ payload: JSON.Value) -> String {
        "mosquitto_pub -t \(topic) -m \(shellQuoted(payload: payload))"
    }

    /// A payload as a shell takes it: in quotes where it must be.
    private static func shellQuoted(payload: JSON.Value) -> String {
        let text = payload.string ?? payload.description
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "_-.,".utf8.contains(byte)
            }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
