import Bluetooth
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts
@testable import HomeAssistant

@Suite("Published announcements")
struct AnnouncementsTests {
    private func announcement(_ topic: String, _ name: String = "a") -> HomeAssistant.Announcement {
        HomeAssistant.Announcement(topic: topic, message: ["name": .string(name)], features: [:])
    }

    @Test("An announcement is published when it is new or has changed")
    func publish() {
        var announcements = Announcements()
        var payload = announcements.publish(announcement("d/belt"))
        #expect(payload == Array(#"{"name":"a"}"#.utf8))
        payload = announcements.publish(announcement("d/belt"))
        #expect(payload == nil)
        payload = announcements.publish(announcement("d/belt", "b"))
        #expect(payload == Array(#"{"name":"b"}"#.utf8))
        let isForgotten = [announcements.forget("d/belt"), announcements.forget("d/belt")]
        #expect(isForgotten == [true, false])
        payload = announcements.publish(announcement("d/belt", "b"))
        #expect(payload != nil)
    }

    @Test("An unchanged announcement is published again on request, and all announcements can be forgotten")
    func again() {
        var announcements = Announcements()
        for topic in ["d/z", "d/a"] { _ = announcements.publish(announcement(topic)) }
        let payload = announcements.publish(announcement("d/a"), again: true)
        #expect(payload == Array(#"{"name":"a"}"#.utf8))
        #expect(announcements.contains("d/a") && !announcements.contains("d/b"))
        let topics = announcements.forgetAll()
        #expect(topics == ["d/a", "d/z"])
        #expect(!announcements.contains("d/a"))
    }

    @Test("A device whose topics change is announced again when the time is over")
    func moved() {
        var announcements = Announcements()
        let address = Address(number: 1)
        announcements.moved(address, until: .seconds(5))
        var next = announcements.release(at: .seconds(4))
        #expect(next == .seconds(5))
        var changed = announcements.takeChanged()
        #expect(changed.isEmpty)
        next = announcements.release(at: .seconds(5))
        #expect(next == nil)
        changed = announcements.takeChanged()
        #expect(changed == [address])
        announcements.moved(address, until: .seconds(9))
        announcements.stays(address)
        next = announcements.release(at: .seconds(9))
        #expect(next == nil)
    }

    @Test("A device with several changes is announced once")
    func changed() {
        var announcements = Announcements()
        for number: UInt64 in [2, 1, 2] { announcements.changed(Address(number: number)) }
        var changed = announcements.takeChanged()
        #expect(changed == [Address(number: 1), Address(number: 2)])
        changed = announcements.takeChanged()
        #expect(changed.isEmpty)
    }
}
