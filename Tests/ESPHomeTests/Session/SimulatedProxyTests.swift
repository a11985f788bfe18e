import Bluetooth
import ESPHome
import Testing
import VirtualDevices

@testable import ProxyClient
@testable import ProxySimulator

@Suite("Session with the simulated proxy")
struct SimulatedProxyTests {
    private static let belt = SimulatedRun.belt

    @Test(
        "A belt is found, connected, read, written and observed", arguments: Proxy.Firmware.allCases,
        [true, false])
    func session(_ firmware: Proxy.Firmware, isEncrypted: Bool) throws {
        var run = try SimulatedRun(firmware, isEncrypted: isEncrypted)
        try run.pass(.milliseconds(200))
        let received = run.events.contains {
            if case .advertisements(let list) = $0 {
                list.contains { $0.address == Self.belt }
            } else {
                false
            }
        }
        #expect(received && run.takeEvents().contains(.subscription(.active)))
        try run.connect()

        let firmwareValue = try #require(run.characteristic(0xFE01))
        try run.perform(.read, on: firmwareValue.handle, number: 1)
        try run.pass(.milliseconds(10))
        #expect(try run.results[1]?.get().isEmpty == false)

        let button = try #require(run.characteristic(0xFE04))
        let descriptor = try #require(button.descriptors.first { $0.uuid == 0x2902 })
        try run.perform(
            .notify(true, descriptor: descriptor.handle, isIndication: false), on: button.handle, number: 2)
        try run.pass(.milliseconds(10))
        #expect(run.results[2] == .success([]))
        _ = run.takeEvents()
        try run.line("belt press home")
        try run.pass(.seconds(1))
        let isNotified = run.takeEvents().contains {
            if case .notification(Self.belt, handle: button.handle, _) = $0 { true } else { false }
        }
        #expect(isNotified)
    }

    @Test("A write is acknowledged, and closes the connection if the device does not answer for 2 s")
    func muted() throws {
        var run = try SimulatedRun(.v2026_10, isEncrypted: false)
        try run.connect()
        let keepAlive = try #require(run.characteristic(0xFE02))
        try run.perform(.write([1], withResponse: true), on: keepAlive.handle, number: 1)
        try run.pass(.milliseconds(10))
        #expect(run.results[1] == .success([]))
        _ = run.takeEvents()
        try run.line("mute belt")
        try run.perform(.write([1], withResponse: true), on: keepAlive.handle, number: 2)
        try run.pass(.milliseconds(1_999))
        #expect(run.results[2] == nil)
        try run.pass(.milliseconds(1))
        #expect(run.results[2] == .failure(.notConnected))
        #expect(run.takeEvents() == [.disconnected(Self.belt, .timedOut)])
        #expect(run.proxy.links.isEmpty)
    }

    @Test("A lost device is reported once and connects again at once", arguments: Proxy.Firmware.allCases)
    func lost(_ firmware: Proxy.Firmware) throws {
        var run = try SimulatedRun(firmware, isEncrypted: false)
        try run.connect()
        _ = run.takeEvents()
        try run.line("drop belt")
        #expect(run.takeEvents() == [.disconnected(Self.belt, .code(0x08))])
        try run.connect()
        #expect(run.characteristic(0xFE01) != nil)
    }

    @Test("The devices are released after another client has become the subscriber")
    func displaced() throws {
        var run = try SimulatedRun(.v2026_10, isEncrypted: true)
        try run.connect()
        _ = run.takeEvents()
        try run.subscribeOther()
        try run.pass(.seconds(59))
        #expect(run.takeEvents() == [])
        try run.pass(.seconds(6))
        #expect(
            run.takeEvents() == [.subscription(.displaced), .disconnected(Self.belt, .unavailable)])
        #expect(run.proxy.links.isEmpty)
        #expect(run.proxy.subscriber == 2)
        // The proxy drops the other client, which is silent. Its place stays free.
        try run.pass(.seconds(3600))
        #expect(run.proxy.subscriber == nil)
        #expect(run.failure == nil)
    }

    @Test("Up to 2026.6, another client does not change anything")
    func firstStays() throws {
        var run = try SimulatedRun(.v2026_6, isEncrypted: true)
        try run.connect()
        _ = run.takeEvents()
        try run.subscribeOther()
        try run.pass(.seconds(300))
        #expect(run.takeEvents() == [])
        #expect(run.proxy.subscriber == 1)
    }

    @Test("A proxy that restarts ends the session, and its devices")
    func reboot() throws {
        var run = try SimulatedRun(.v2026_10, isEncrypted: true)
        try run.connect()
        _ = run.takeEvents()
        try run.line("proxy reboot")
        #expect(run.failure == .announced)
        #expect(run.takeEvents() == [.disconnected(Self.belt, .unavailable)])
    }
}
