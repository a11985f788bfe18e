import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("States and events of the bridge")
struct BridgeReportsTests {
    @Test("A state is published when it changes; a string is published as plain text")
    func states() {
        var reports = BridgeReports()
        var payload = reports.state("availability", "online")
        #expect(payload == Array("online".utf8))
        payload = reports.state("availability", "online")
        #expect(payload == nil)
        payload = reports.state("devices", [])
        #expect(payload == Array("[]".utf8))
        payload = reports.state("availability", "offline")
        #expect(payload == Array("offline".utf8))
    }

    @Test("Events are numbered, and have a name, their details and a time")
    func events() throws {
        var reports = BridgeReports()
        let date = TimeStamp(milliseconds: 0)
        _ = reports.event("bluez_back", [:], date: date)
        let payload = reports.event("bluez_lost", ["reason": "gone"], date: date)
        let event = try JSON.Value(parsing: payload)
        #expect(event.object?.members.map(\.key) == ["event", "reason", "time", "seq"])
        #expect(event["event"] == "bluez_lost" && event["seq"] == 2)
        #expect(event["time"]?.string == date.description)
    }

    @Test("The states of all devices wait for the end of the pause, but not at the end of the bridge")
    func devices() {
        var reports = BridgeReports()
        var step = reports.takeDevices(at: .zero)
        #expect(step == nil)
        reports.devicesChanged()
        step = reports.takeDevices(at: .zero)
        #expect(step == .publish)
        reports.published(devices: 20, from: .zero, to: .milliseconds(5))
        step = reports.takeDevices(at: .milliseconds(20))
        #expect(step == nil)
        reports.devicesChanged()
        step = reports.takeDevices(at: .milliseconds(20))
        #expect(step == .wait(until: .milliseconds(105)))
        step = reports.takeDevices(at: .milliseconds(105))
        #expect(step == .publish)
        reports.published(devices: 20, from: .milliseconds(105), to: .milliseconds(110))
        reports.devicesChanged()
        reports.endPause()
        step = reports.takeDevices(at: .milliseconds(111))
        #expect(step == .publish)
    }
}
