import Bluetooth
import BridgeTesting
import Claims
import DeviceKit
import JSON
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Status of a device")
struct DeviceStatusTests {
    private static let start = TimeStamp(milliseconds: 0)
    private static let later = TimeStamp(milliseconds: 5000)
    private static let holder = TopicOwnership(
        bridge: "attic", address: BridgeSettings.sample, isConfigured: true)

    @Test("A sign of life is published once a minute, with its date")
    func seen() {
        var status = DeviceStatus(since: Self.start)
        #expect(status.lastSeen(now: .zero, date: Self.start) == nil)
        #expect(status.noteSeen(at: .seconds(1)) == true)
        #expect(status.lastSeen(now: .seconds(3), date: Self.later) == "1970-01-01T00:00:03.000Z")
        #expect(status.noteSeen(at: .seconds(62)) == false)
        #expect(status.noteSeen(at: .seconds(63)) == true)
    }

    @Test("A change of stage or readiness is reported once, and dates the connection")
    func change() {
        var status = DeviceStatus(since: Self.start)
        #expect(status.changed(to: .disconnected, isReady: false, at: Self.later) == (false, false))
        #expect(status.since == Self.start)
        #expect(status.changed(to: .preparing, isReady: false, at: Self.later) == (true, true))
        #expect(status.changed(to: .preparing, isReady: true, at: Self.later) == (true, false))
        #expect(status.changed(to: .preparing, isReady: true, at: Self.start) == (false, false))
        #expect(status.since == Self.later)
    }

    @Test("The date of the last change of the link does not depend on attempts since")
    func held() {
        var status = DeviceStatus(since: Self.start)
        status.hold(false, at: Self.later)
        #expect(status.heldSince == Self.start)
        status.hold(true, at: Self.later)
        #expect(status.heldSince == Self.later)
        _ = status.changed(to: .connected, isReady: true, at: Self.start)
        status.hold(true, at: Self.start)
        #expect(status.heldSince == Self.later)
        status.hold(false, at: Self.start)
        _ = status.changed(to: .searching, isReady: false, at: Self.later)
        #expect(status.heldSince == Self.start)
    }

    @Test("The name and the description are known again after a restart")
    func known() {
        var status = DeviceStatus(since: Self.start)
        #expect(status.known == [:])
        status.heard(Advertisement(address: BridgeSettings.sample, name: "Anna's belt"), at: Self.start)
        status.info = DeviceInfo(
            manufacturer: "M", model: "N", hardware: "1", firmware: "2", serial: "3", bootloader: "4")
        let next = DeviceStatus(since: Self.later, memory: [DeviceStatus.memoryKey: status.known])
        #expect(next.advertisedName == "Anna's belt")
        #expect(
            next.info
                == DeviceInfo(manufacturer: "M", model: "N", hardware: "1", firmware: "2", serial: "3"))
        #expect(next.known == status.known)
        #expect(DeviceStatus(since: Self.later, memory: [DeviceStatus.memoryKey: [1]]).advertisedName == nil)
    }

    @Test("The connection has the bridge, the adapter and the reason for a failure")
    func connection() {
        var status = DeviceStatus(since: Self.start)
        status.measured(rssi: -60, at: Self.start)
        var supervision = Supervision()
        supervision.radio(.ready)
        supervision.heard()
        #expect(supervision.decide(at: .zero) == .connect)
        supervision.failed(RadioError(.unreachable, "no answer"), at: .seconds(1))
        func value(_ now: Duration) -> JSON.Value {
            status.connection(supervision, adapter: "hci0", of: Self.holder, now: now, date: Self.later)
        }
        let first = value(.seconds(1))
        #expect(first["state"] == "searching" && first["bridge"] == "attic" && first["configured"] == true)
        #expect(first["address"] == .string(BridgeSettings.sample.description))
        #expect(
            first["bluetooth_adapter"] == "hci0" && first["reason"] == "no answer" && first["attempt"] == 1)
        #expect(first["next_attempt"] == "1970-01-01T00:00:05.500Z")
        // Without a link the signal strength is not published.
        #expect(first["rssi"] == .null && first["rssi_time"] == .null)
        // The same attempt keeps its date, whatever the two clocks show.
        #expect(value(.seconds(2)) == first)
        supervision.linked()
        supervision.ready()
        #expect(value(.seconds(2))["rssi"] == -60 && value(.seconds(2))["next_attempt"] == .null)
        #expect(value(.seconds(2))["rssi_time"] == .string(Self.start.description))
        status.measured(rssi: -61, at: Self.later)
        #expect(value(.seconds(2))["rssi_time"] == .string(Self.later.description))
        status.measured(rssi: nil, at: Self.later)
        #expect(value(.seconds(2))["rssi_time"] == .null)
    }

    @Test("The last received signal strength and name are kept")
    func heard() {
        var status = DeviceStatus(since: Self.start)
        status.heard(
            Advertisement(address: BridgeSettings.sample, name: "sample 1", rssi: -50), at: Self.start)
        status.heard(Advertisement(address: BridgeSettings.sample), at: Self.start)
        #expect(status.rssi == -50)
        status.info = DeviceInfo(manufacturer: "Sample", firmware: "1")
        let info = status.infoValue(family: "sample", address: BridgeSettings.sample)
        #expect(info["name"] == "sample 1" && info["firmware"] == "1" && info["model"] == .null)
    }
}
