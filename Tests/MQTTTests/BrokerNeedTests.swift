import EventLoop
import HostTesting
import Testing

@testable import MQTT

@Suite("Brokers without what a last will needs")
struct BrokerNeedTests {
    @Test(
        "The refusal of the last will is named in the log, with what to change, and the broker is not asked often",
        arguments: [
            (0x9A, MQTTError.Code.retainUnavailable, "retained messages"),
            (0x9B, .qosUnavailable, "QoS 1"),
        ] as [(UInt8, MQTTError.Code, String)])
    func refused(reason: UInt8, code: MQTTError.Code, words: String) async throws {
        let loop = try EventLoop.start(name: "scripted")
        let broker = ScriptedBroker(on: loop) { $0.type == 1 ? .send([0x20, 3, 0, reason, 0]) : .usual }
        try await withClient(.local(broker.port, "bridge")) { running in
            let (error, retryIn) = try await running.disconnected()
            #expect(error.code == code && retryIn >= .seconds(4))
            #expect(running.log.all.contains("the bridge needs \(words)"), "\(running.log.all)")
        }
        loop.stop()
    }
}
