import Bluetooth
import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("A TAP in the BlueZ simulator")
struct TapTests {
    private static let tap: UUID = "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370"

    /// The object of a characteristic, by the first digits of its UUID.
    private func path(_ name: String, _ harness: SimulatorHarness) throws -> ObjectPath {
        let table = try #require(harness.daemon.devices.values.first?.table)
        return try #require(table.characteristics.first { $0.id.uuid.description.hasPrefix(name) }?.path)
    }

    @Test("The system automatically connects a bonded TAP with encryption, like a keyboard")
    func isConnectedByItself() throws {
        var harness = SimulatorHarness(VirtualTap(), isBonded: true)
        harness.pass(.seconds(1))
        let record = try #require(harness.daemon.devices.values.first)
        #expect(record.isConnected && record.areServicesResolved && record.isEncrypted && record.isTrusted)
        #expect(record.uuids.isSuperset(of: [0x1812, 0x180A, 0x180F, Self.tap]))
        #expect(record.battery == 87)
        let firmware = try path("00002a26", harness)
        #expect(harness.ask("ReadValue", at: firmware, .properties([:])) == "322e342e35")
    }

    @Test("The keyboard service is not on the bus; battery, device information and Battery1 are")
    func hidesKeyboard() throws {
        var harness = SimulatorHarness(VirtualTap(), isBonded: true) { $0.connectTime = .seconds(2) }
        harness.pass(.seconds(4))
        let exported = harness.look()
        let table = try #require(harness.daemon.devices.values.first?.table)
        for service in table.services {
            let isThere = exported.contains("\(service.path.name) + GattService1")
            #expect(isThere == ![0x1800, 0x1812].contains(service.uuid))
        }
        #expect(exported.contains("dev + Battery1"))
        harness.line("tester battery 42")
        #expect(harness.look() == ["dev Percentage=42"])
    }

    @Test("If plugins claim battery and device information, only Battery1 is on the bus")
    func claimsMore() throws {
        var harness = SimulatorHarness(VirtualTap(), isBonded: true) {
            $0.connectTime = .seconds(2)
            $0.claimedServices = [0x180A, 0x180F]
        }
        harness.pass(.seconds(4))
        let exported = harness.look()
        #expect(exported.filter { $0.hasSuffix("+ GattService1") }.count == 3)
        #expect(exported.contains("dev + Battery1"))
        #expect(harness.daemon.devices.values.first?.uuids.contains(0x180A) == true)
    }

    @Test("A new TAP advertises both UUIDs and is paired by the input plugin before the first read")
    func isPaired() throws {
        var harness = SimulatorHarness(VirtualTap())
        harness.call("RegisterAgent", at: "/org/bluez", .objectPath("/agent"), .string("NoInputNoOutput"))
        harness.call("RequestDefaultAgent", at: "/org/bluez", .objectPath("/agent"))
        harness.discover()
        #expect(harness.daemon.devices.values.first?.uuids == [0x1812, Self.tap])
        harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.milliseconds(600))
        #expect(harness.daemon.devices.values.first?.isBonded == false)
        let read = harness.call("ReadValue", at: try path("c3ff0003", harness), .properties([:]))
        #expect(harness.answers[read] == nil)
        harness.pass(.seconds(1))
        #expect(harness.answers[read] == "5461705f53494d")
        #expect(harness.daemon.devices.values.first?.isBonded == true)
    }

    @Test("Taps, commands and raw frames are transferred")
    func plays() throws {
        var harness = SimulatorHarness(VirtualTap(), isBonded: true)
        harness.pass(.seconds(1))
        _ = harness.look()
        for name in ["c3ff0005", "6e400003"] {
            let characteristic = try path(name, harness)
            #expect(harness.ask("StartNotify", at: characteristic) == "")
        }
        let command = try path("6e400002", harness)
        #expect(harness.ask("WriteValue", at: command, .bytes([3, 0x0C, 0, 1]), .properties([:])) == "")
        _ = harness.look()
        let taps = try path("c3ff0005", harness).name
        harness.line("tester 5")
        #expect(harness.look() == ["\(taps) Value=05000000"])
        let raw: [UInt8] = [3, 0x0C, 0, 0x0A, 0, 0, 0]
        #expect(harness.ask("WriteValue", at: command, .bytes(raw), .properties([:])) == "")
        harness.pass(.seconds(1))
        let name = try path("6e400003", harness).name
        #expect(harness.look().filter { $0.hasPrefix("\(name) Value=") }.count == 50)
    }
}
