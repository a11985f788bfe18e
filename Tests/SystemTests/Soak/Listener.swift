import EventLoop
import HostTesting
import JSON

/// A client that subscribes to all messages of devices and of the bridge, in a session that survives restarts
/// of the broker.
final class Listener {
    struct Message {
        let isRetained: Bool
        let correlation: String
        let topic: String
        let payload: String

        var json: JSON.Value? { try? JSON.Value(parsing: payload.utf8) }
    }

    private let process: TestProcess

    init(_ broker: TestBroker) throws {
        // No two filters match the same topic, as its messages would arrive twice.
        let topics = ["+/+", "all/+/result", "bridge/test/+", "bridge/test/response/+"]
        process = try TestProcess(
            ["mosquitto_sub"] + broker.arguments
                + ["-V", "5", "-q", "1", "-c", "-i", "soak", "-x", "86400", "-F", "%r\t%D\t%t\t%p"]
                + topics.flatMap { ["-t", $0] })
    }

    /// The next message on any topic.
    func next(within limit: Duration) -> Message? {
        let end = EventLoop.now + limit
        while let line = process.nextLine(within: end - EventLoop.now) {
            let parts = line.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[0] == "0" || parts[0] == "1" else { continue }
            return Message(
                isRetained: parts[0] == "1", correlation: String(parts[1]), topic: String(parts[2]),
                payload: String(parts[3]))
        }
        return nil
    }
}
