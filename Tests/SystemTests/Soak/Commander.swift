import EventLoop
import HostTesting

/// A client that publishes commands in order, each with its own `mosquitto_pub`, and reports the broker's
/// acknowledgments.
final class Commander {
    private let process: TestProcess
    private static let separator = "\t"
    /// Represents no Response Topic: a shell drops an empty field between tabs.
    private static let nothing = "-"

    init(_ broker: TestBroker) throws {
        let publish = "mosquitto_pub -d -V 5 -q 1 \(broker.arguments.joined(separator: " "))"
        let script = """
            while IFS='\t' read -r number topic response payload; do
              case $response in
                -) said=$(\(publish) -t "$topic" -m "$payload" 2>&1) ;;
                *) said=$(\(publish) -t "$topic" -m "$payload" -D publish response-topic "$response" \
                     -D publish correlation-data "$number" 2>&1) ;;
              esac
              case $said in *'RC:0)'*) echo "$number taken" ;; *) echo "$number lost" ;; esac
            done
            """
        process = try TestProcess(["sh", "-c", script], hasInput: true)
    }

    func publish(_ number: Int, _ topic: String, _ payload: String, responseTopic: String? = nil) throws {
        let fields = ["\(number)", topic, responseTopic ?? Self.nothing, payload]
        try process.write(fields.joined(separator: Self.separator))
    }

    /// The fate of the next command; nil if it is not known within the time.
    func next(within limit: Duration) -> (number: Int, delivery: CommandLedger.Delivery)? {
        guard let words = process.nextLine(within: limit)?.split(separator: " "), words.count == 2,
            let number = Int(words[0])
        else { return nil }
        return (number, words[1] == "taken" ? .taken : .lost)
    }
}
