import JSON

extension Command {
    /// Returns a shell command line that publishes the example to a topic: `mosquitto_pub -t belt/mode/set -m app`.
    public func line(topic: String) -> String { Self.line(topic: topic, example) }

    /// The example as one shell word: `app`, `'{"motor":3}'`.
    public var shellPayload: String { Self.word(example) }

    /// Returns a shell command line that publishes ``suggestion``; nil if there is none.
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
