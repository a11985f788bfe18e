import Bluetooth
import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("Values of the BlueZ simulator")
struct ValueTypeTests {
    @Test("Handles are consecutive, with GAP and GATT first, and are part of the object paths")
    func handles() {
        let table = AttributeTable(TestDevice(isInput: true).services, of: "/d")
        #expect(
            table.services.map(\.path.description) == [
                "/d/service0001", "/d/service0008", "/d/service000c", "/d/service0016", "/d/service001a",
            ])
        #expect(table.services.map(\.isClaimed) == [true, false, false, false, true])
        #expect(
            table.characteristics[table.services[2].characteristics].map(\.path.name) == [
                "char000d", "char0010", "char0013",
            ])
        #expect(
            table.characteristics[table.services[2].characteristics].map(\.configuration?.name) == [
                "desc000f", "desc0012", "desc0015",
            ])
        #expect(table.characteristics.filter(\.isForeign).count == 4)
    }

    @Test("A table with its own GATT service is left unchanged")
    func ownGATT() {
        let gatt = VirtualService(0x1801, [])
        let table = AttributeTable([gatt], of: "/d")
        #expect(table.services.map(\.handle) == [1, 8])
        #expect(table.characteristics.count == 3)
    }

    @Test(
        "ATT errors are converted to BlueZ's errors",
        arguments: [
            (0x01, "Failed", "Operation failed with ATT error: 0x01"),
            (0x02, "NotPermitted", "Read not permitted"),
            (0x03, "NotPermitted", "Write not permitted"), (0x05, "NotPermitted", "Not paired"),
            (0x06, "NotSupported", "Operation is not supported"),
            (0x07, "InvalidArguments", "Invalid offset"),
            (0x08, "NotAuthorized", "Operation Not Authorized"), (0x0D, "InvalidArguments", "Invalid Length"),
            (0x0E, "Failed", "Operation failed with ATT error: 0x0e"), (0x0F, "NotPermitted", "Not paired"),
            (0x80, "Failed", "Operation failed with ATT error: 0x80"),
        ] as [(UInt8, String, String)])
    func attErrors(code: UInt8, name: String, message: String) {
        #expect(BlueZError.att(code) == DBusError(name: "org.bluez.Error.\(name)", message: message))
    }

    @Test("A discovery filter admits matching devices")
    func filters() throws {
        func admits(_ options: [String: Value]) -> Bool? {
            DiscoveryFilter(options)?.admits(
                name: "Tester", address: "C0:FF:EE:00:00:01", services: [0x180F], rssi: -60)
        }
        #expect(admits([:]) == true)
        #expect(admits(["Transport": .string("le"), "DuplicateData": .bool(true)]) == true)
        #expect(admits(["Transport": .string("bredr")]) == false)
        #expect(admits(["Transport": .string("bogus")]) == nil)
        #expect(admits(["Bogus": .bool(true)]) == nil)
        #expect(admits(["UUIDs": .strings(["180f"])]) == true)
        #expect(admits(["UUIDs": .strings(["0000180a-0000-1000-8000-00805f9b34fb"])]) == false)
        #expect(admits(["UUIDs": .strings(["nonsense"])]) == nil)
        #expect(admits(["RSSI": .int16(-60)]) == true)
        #expect(admits(["RSSI": .int16(-50)]) == false)
        #expect(admits(["RSSI": .int16(-70), "Pathloss": .uint16(3)]) == nil)
        #expect(admits(["Pattern": .string("Tes")]) == true)
        #expect(admits(["Pattern": .string("C0:FF")]) == true)
        #expect(admits(["Pattern": .string("x")]) == false)
    }

    @Test(
        "A stored device is one line",
        arguments: [
            ("02:B1:7E:00:00:00 C0:FF:EE:00:00:01", true),
            ("02:B1:7E:00:00:00 C0:FF:EE:00:00:01 bonded trusted", true),
            ("02:B1:7E:00:00:00 C0:FF:EE:00:00:01 trusted", true),
            ("02:B1:7E:00:00:00", false), ("02:B1:7E:00:00:00 x", false),
            ("02:B1:7E:00:00:00 C0:FF:EE:00:00:01 new", false),
        ])
    func knownDevices(line: String, isUnderstood: Bool) {
        #expect(KnownDevice(line: line)?.line == (isUnderstood ? line : nil))
    }

    @Test("Deadlines are in order, and simultaneous deadlines are in the order in which they were set")
    func deadlines() {
        var table = TimerTable<String>()
        table.set("b", at: .seconds(2))
        table.set("c", at: .seconds(2))
        table.set("a", at: .seconds(3))
        table.set("a", at: .seconds(1))
        table.set("d", at: .seconds(2))
        table.cancel("c")
        #expect(table.next == .seconds(1))
        #expect(table.popDue(at: .zero) == nil)
        #expect((1...4).map { _ in table.popDue(at: .seconds(2))?.name } == ["a", "b", "d", nil])
    }

    @Test("Flags have BlueZ's order and names")
    func flags() {
        #expect(
            Daemon.flags([.notify, .write, .read, .writeWithoutResponse, .indicate]) == [
                "read", "write-without-response", "write", "notify", "indicate",
            ])
    }
}
