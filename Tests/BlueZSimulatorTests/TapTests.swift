import Bluetooth
import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("A TAP in the BlueZ simulator")
struct TapTests {
    private static let tap: UUID = "c3ff0001-1d8b-40fd-a56f-c7bd5d0f3370"

    /// The object of a characteristic, by the first digits of its UUID.
    private func path(_ name: String, _ bench: Bench) throws -> ObjectPath {
        let table = try #require(bench.daemon.devices.values.first?.table)
        return try #require(table.characteristics.first { $0.id.uuid.description.hasPrefix(name) }?.path)
    }

    @Test("The system automatically connects a bonded TAP with encryption, like a keyboard")
    func isConnectedByItself() throws {
        var bench = Bench(VirtualTap(), isBonded: true)
        bench.pass(.seconds(1))
        let record = try #require(bench.daemon.devices.values.first)
        #expect(record.isConnected && record.areServicesResolved && record.isEncrypted && record.isTrusted)
        #expect(record.uuids.isSuperset(of: [0x1812, 0x180A, 0x180F, Self.tap]))
        #expect(record.battery == 87)
        let firmware = try path("00002a26", bench)
        #expect(bench.ask("ReadValue", at: firmware, .properties([:])) == "322e342e35")
    }

    @Test("The keyboard service is not on the bus; battery, device information and Battery1 are")
    func hidesKeyboard() throws {
        var bench = Bench(VirtualTap(), isBonded: true) { $0.connectTime = .seconds(2) }
        bench.pass(.seconds(4))
        let exported = bench.look()
        let table = try #require(bench.daemon.devices.values.first?.table)
        for service in table.services {
            let isThere = exported.contains("\(service.path.name) + GattService1")
            #expect(isThere == ![0x1800, 0x1812].contains(service.uuid))
        }
        #expect(exported.contains("dev + Battery1"))
        bench.line("tester battery 42")
        #expect(bench.look() == ["dev Percentage=42"])
    }

    @Test("If plugins claim battery and device information, only Battery1 is on the bus")
    func claimsMore() throws {
        var bench = Bench(VirtualTap(), isBonded: true) {
            $0.connectTime = .seconds(2)
            $0.claimedServices = [0x180A, 0x180F]
        }
        bench.pass(.seconds(4))
        let exported = bench.look()
        #expect(exported.filter { $0.hasSuffix("+ GattService1") }.count == 3)
        #expect(exported.contains("dev + Battery1"))
        #expect(bench.daemon.devices.values.first?.uuids.contains(0x180A) == true)
    }

    @Test("A new TAP advertises both UUIDs and is paired by the input plugin before the first read")
    func isPaired() throws {
        var bench = Bench(VirtualTap())
        bench.call("RegisterAgent", at: "/org/bluez", .objectPath("/agent"), .string("NoInputNoOutput"))
        bench.call("RequestDefaultAgent", at: "/org/bluez", .objectPath("/agent"))
        bench.discover()
        #expect(bench.daemon.devices.values.first?.uuids == [0x1812, Self.tap])
        bench.call("Connect", at: Bench.device)
        bench.pass(.milliseconds(600))
        #expect(bench.daemon.devices.values.first?.isBonded == false)
        let read = bench.call("ReadValue", at: try path("c3ff0003", bench), .properties([:]))
        #expect(bench.answers[read] == nil)
        bench.pass(.seconds(1))
        #expect(bench.answers[read] == "5461705f53494d")
        #expect(bench.daemon.devices.values.first?.isBonded == true)
    }

    @Test("Taps, commands and raw frames are transferred")
    func plays() throws {
        var bench = Bench(VirtualTap(), isBonded: true)
        bench.pass(.seconds(1))
        _ = bench.look()
        for name in ["c3ff0005", "6e400003"] {
            let characteristic = try path(name, bench)
            #expect(bench.ask("StartNotify", at: characteristic) == "")
        }
        let command = try path("6e400002", bench)
        #expect(bench.ask("WriteValue", at: command, .bytes([3, 0x0C, 0, 1]), .properties([:])) == "")
        _ = bench.look()
        let taps = try path("c3ff0005", bench).name
        bench.line("tester 5")
        #expect(bench.look() == ["\(taps) Value=05000000"])
        let raw: [UInt8] = [3, 0x0C, 0, 0x0A, 0, 0, 0]
        #expect(bench.ask("WriteValue", at: command, .bytes(raw), .properties([:])) == "")
        bench.pass(.seconds(1))
        let name = try path("6e400003", bench).name
        #expect(bench.look().filter { $0.hasPrefix("\(name) Value=") }.count == 50)
    }
}
