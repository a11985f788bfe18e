import JSON

extension Command {
    /// A line for a shell that sends the declared example to a topic: `mosquitto_pub -t belt/mode/set -m app`.
    public func line(topic: String) -> String { Self.line(topic: topic, example) }

    /// The declared example as a word of a shell: `app`, `'{"motor":3}'`.
    public var shellPayload: String { Self.word(example) }

    /// A line for a shell that sends what a refusal suggests; nil where it suggests nothing.
    public func suggestedLine(topic: String) -> String? {
        suggestion.map { Self.line(topic: topic, $0) }
    }

    private static func line(topic: String, _ payload: JSON.Value) -> String {
        "mosquitto_pub -t \(ShellWord.quoted(topic)) -m \(word(payload))"
    }

    private static func word(_ payload: JSON.Value) -> String {
        ShellWord.quoted(payload.string ?? payload.description)
    }
}
