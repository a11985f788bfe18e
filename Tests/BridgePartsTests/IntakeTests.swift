import Messages
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("What the broker's messages mean, and how often they are heard")
struct IntakeTests {
    private func message(_ topic: String, _ payload: String) -> IncomingMessage {
        IncomingMessage(topic: topic, payload: Array(payload.utf8))
    }

    private func intake() -> Intake { Intake(Topics(bridge: "attic", baseTopic: "")) }

    @Test("A topic means the same however often it comes, and however many others come between")
    func destinations() {
        var intake = intake()
        for _ in 0..<2 {
            let command = Topics.Destination.command(device: "hall/belt", feature: "level")
            #expect(intake.destination(of: "hall/belt/level/set") == command)
            #expect(intake.destination(of: "nothing") == nil)
            for number in 0..<5000 { _ = intake.destination(of: "other/\(number)") }
        }
    }

    @Test("Commands and requests are heard however many come")
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

    @Test("Of Home Assistant's births one a second is heard, and the last is not lost; its going never waits")
    func births() {
        var intake = intake()
        func take(_ payload: String) -> Bool {
            intake.take(message("ha/status", payload), status: "ha/status", at: .zero)
        }
        let isHeard = [take("online"), take("online"), take("offline"), take("online")]
        #expect(isHeard == [true, false, true, false])
        #expect(intake.next == .seconds(1))
        var due = intake.due(at: .milliseconds(999))
        #expect(due.isEmpty)
        due = intake.due(at: .seconds(1))
        #expect(due == [message("ha/status", "online")])
        #expect(intake.next == nil)
    }
}
