import BridgeTesting
import Testing

@testable import MQTT

@Suite("Brokers without what a last will needs")
struct BrokerNeedTests {
    @Test(
        "The refusal of the last will is named in the log, with what to change, and the broker is not asked often",
        arguments: [
            ("retain_available false", MQTTError.Code.retainUnavailable, "retained messages"),
            ("max_qos 0", .qosUnavailable, "QoS 1"),
        ])
    func refused(line: String, code: MQTTError.Code, words: String) async throws {
        var options = TestBroker.Options()
        options.lines = [line]
        let broker = try TestBroker(options)
        var configuration = Configuration.local(broker.port, "bridge")
        configuration.will = Configuration.Will(topic: "a", payload: Array("offline".utf8))
        try await withClient(configuration) { running in
            let (error, retryIn) = try await running.disconnected()
            #expect(error.code == code && retryIn >= .seconds(4))
            #expect(running.log.all.contains("the bridge needs \(words)"), "\(running.log.all)")
        }
    }
}
