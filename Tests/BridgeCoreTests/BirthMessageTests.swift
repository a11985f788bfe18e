import BridgeTesting
import HomeAssistant
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore

@Suite("Birth messages of Home Assistant")
struct BirthMessageTests {
    @Test("Birth messages of Home Assistant are answered immediately, then once a second, including the last")
    func births() {
        withLab { lab in
            var settings = BridgeSettings.oneDevice()
            settings.homeAssistant = HomeAssistantSettings()
            let bench = lab.bridge(settings)
            bench.goOnline()
            bench.broker.clearLog()
            let isAnnouncement = { (topic: String) in topic.hasSuffix("/config") }
            func count() -> Int { bench.broker.log.count { isAnnouncement($0.message.topic) } }
            bench.broker.send("homeassistant/status", "online")
            let once = count()
            #expect(once >= 2)
            for _ in 0..<100 { bench.broker.send("homeassistant/status", "online") }
            #expect(count() == once)
            bench.time.advance(by: .seconds(1))
            #expect(count() == 2 * once)
            bench.time.advance(by: .seconds(5))
            #expect(count() == 2 * once)
        }
    }
}
