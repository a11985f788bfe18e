import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Destinations and rates of the broker's messages")
struct TopicRouterTests {
    private func message(_ topic: String, _ payload: String) -> IncomingMessage {
        IncomingMessage(topic: topic, payload: Array(payload.utf8))
    }

    private func intake() -> TopicRouter { TopicRouter(Topics(bridge: "attic", baseTopic: "")) }

    @Test("A topic always has the same destination, however many others arrive")
    func destinations() {
        var intake = intake()
        for _ in 0..<2 {
            let command = Topics.Destination.command(device: "hall/belt", feature: "level")
            #expect(intake.destination(of: "hall/belt/level/set") == command)
            #expect(intake.destination(of: "nothing") == nil)
            for number in 0..<5000 { _ = intake.destination(of: "other/\(number)") }
        }
    }

    @Test("The rate of commands and requests is not limited")
    func commands() {
        var intake = intake()
        for _ in 0..<100 {
            let isHeard = [
                intake.take(message("belt/stop/set", ""), status: "ha/status", at: .zero),
                intake.take(message("bridge/attic/request/devices", ""), status: "ha/status", at: .zero),
            ]
            #expect(isHeard == [true, true])
        }
        #expect(intake.next == nil)
    }

    @Test(
        "One online message of Home Assistant per second is handled, the last is kept, and offline never waits"
    )
    func births() {
        var intake = intake()
        func take(_ payload: String) -> Bool {
            intake.take(message("ha/status", payload), status: "ha/status", at: .zero)
        }
        let isHeard = [take("online"), take("online"), take("offline"), take("online")]
        #expect(isHeard == [true, false, true, false])
        #expect(intake.next == .seconds(1))
        var due = intake.due(at: .milliseconds(999))
        #expect(due == nil)
        due = intake.due(at: .seconds(1))
        #expect(due == message("ha/status", "online"))
        #expect(intake.next == nil)
    }
}
