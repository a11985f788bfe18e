import JSON

extension Command {
    /// A line for a shell that sends the declared example to a topic: `mosquitto_pub -t belt/mode/set -m app`.
    ///
    /// - Parameter topic: The topic, without what a shell would read as its own.
    public func line(topic: String) -> String {
        "mosquitto_pub -t \(topic) -m \(ShellWord.quoted(example.string ?? example.description))"
    }
}
