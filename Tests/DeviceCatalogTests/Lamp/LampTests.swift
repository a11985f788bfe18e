import Bluetooth
import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("The lamp")
struct LampTests {
    @Test("The lamp reports its level, and accepts another level")
    func level() {
        var machine = LampMachine()
        _ = machine.effects(of: .connected(LinkProfile(characteristics: [:])))
        for id in [LampGATT.level, LampGATT.button] { _ = machine.effects(of: .subscribed(id, .success(()))) }
        let ready = machine.effects(of: .readCompleted(LampGATT.level, .success([42])))
        #expect(ready == [.publish(feature: "level", 42), .cancelTimer("handshake"), .ready])

        let id = CommandID(1)
        let written = machine.effects(of: .command(id, feature: "level", ["level": 60]))
        #expect(written == [.write(Write(LampGATT.level, [60], token: 1))])
        #expect(
            machine.effects(of: .writeCompleted(1, LampGATT.level, .success(()))) == [.answer(id, .ok)])
    }
}
