import Glibc
import HostTesting
import JSON
import Testing

@Suite("Answers to topics that the access list forbids", .serialized)
struct ForbiddenAnswerTests {
    @Test("A broker that disconnects the bridge over such an answer does so once for each Response Topic")
    func once() throws {
        let folder = try TemporaryDirectory()
        let list =
            "topic readwrite #\n\nuser bridge\n"
            + ["bridge/#", "belt/#", "claim/+", "roster/+", "homeassistant/#", "all/#"]
            .map { "topic readwrite \($0)\n" }.joined()
        let file = try folder.write(list, to: "access")
        chmod(file, 0o600)
        let bench = try Bench(
            users: ["bridge": "secret"],
            brokerLines: ["allow_anonymous true", "acl_file \(file)", "max_queued_messages 0"])
        try bench.startSimulator(scenario: Fault.belt)
        let bridge = try bench.startBridge(environment: [
            "TACTILE_BRIDGE_MQTT_USERNAME": "bridge", "TACTILE_BRIDGE_MQTT_PASSWORD": "secret",
        ])
        try bench.watcher.expect("belt/availability", "online")

        for topic in ["forbidden/1", "forbidden/2"] {
            try send("50", answeredTo: topic, bench)
            try bridge.expectLine("the broker closed the connection because of an answer")
            try bridge.expectLine("connected to the broker")
            for value in ["60", "70"] {
                try send(value, answeredTo: topic, bench)
                try bench.watcher.expect("belt/result") { $0.json["feature"] == "intensity" }
            }
        }
        try bench.expectOK(
            "bridge/test/request/log_level", "debug", usually: "bridge/test/response/log_level")
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        var rest: [String] = []
        while let line = bridge.nextLine(within: .seconds(1)) { rest.append(line) }
        #expect(!rest.contains { $0.contains("broker lost") }, "\(rest)")
    }

    private func send(_ value: String, answeredTo topic: String, _ bench: Bench) throws {
        try TestProcess.run(
            ["mosquitto_pub", "-V", "5"] + bench.broker.arguments
                + ["-t", "belt/intensity/set", "-m", value, "-D", "publish", "response-topic", topic])
    }
}

extension Bench {
    /// Sends a request without a Response Topic, and expects the answer on the default topic.
    fileprivate func expectOK(_ topic: String, _ payload: String, usually answer: String) throws {
        try publish(topic, payload)
        let message = try watcher.expect(answer)
        #expect(message.json["status"] == "ok", "\(message)")
    }
}
