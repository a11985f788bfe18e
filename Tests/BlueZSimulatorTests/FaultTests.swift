import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("Faults of the simulated BlueZ daemon")
struct FaultTests {
    private static let service = Bench.device.appending("service000c")
    /// The object of the value after the handles were shifted by the firmware update service.
    private static let moved = Bench.device.appending("service0010").appending("char0011")

    @Test("Calls of a method are rejected for the requested number of calls, and then accepted")
    func refused() {
        var bench = Bench()
        bench.line("bluez refuse StartDiscovery NotReady 2")
        #expect(bench.ask("StartDiscovery", at: Bench.adapter) == "NotReady: Resource Not Ready")
        #expect(bench.ask("StartDiscovery", at: Bench.adapter) == "NotReady: Resource Not Ready")
        #expect(bench.ask("StartDiscovery", at: Bench.adapter) == "")
    }

    @Test("Calls of a method are rejected for the requested time, and then accepted")
    func refusedForTime() {
        var bench = Bench()
        bench.connect()
        bench.line("bluez refuse ReadValue InProgress 5s")
        for _ in 0..<4 {
            #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "InProgress: In Progress")
            bench.pass(.seconds(1))
        }
        bench.pass(.seconds(1))
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "010203")
    }

    @Test("A call stays unanswered and has no effect")
    func ignored() {
        var bench = Bench()
        bench.connect()
        bench.line("bluez ignore ReadValue")
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == nil)
        bench.pass(.seconds(60))
        #expect(bench.look() == [])
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "010203")
    }

    @Test("A stale cache lacks the device's own services until the device is removed")
    func stale() {
        var bench = Bench()
        bench.connect()
        bench.line("bluez stale tester")
        bench.line("drop tester")
        bench.connect()
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) != "010203")
        #expect(bench.ask("RemoveDevice", at: Bench.adapter, .objectPath(Bench.device)) == nil)
        bench.pass(.seconds(3))
        bench.connect()
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "010203")
    }

    @Test("A deaf adapter reports discovery, but receives nothing until a start with a different filter")
    func deaf() {
        var bench = Bench()
        func begin(_ filter: [String: Value]) {
            bench.call("SetDiscoveryFilter", at: Bench.adapter, .properties(filter))
            bench.call("StartDiscovery", at: Bench.adapter)
            bench.pass(.seconds(5))
        }
        begin(["Transport": .string("le")])
        bench.line("bluez deaf")
        _ = bench.look()
        bench.pass(.seconds(60))
        #expect(!bench.look().contains { $0.contains("RSSI") })
        bench.call("StopDiscovery", at: Bench.adapter)
        begin(["Transport": .string("le")])
        #expect(bench.look() == ["hci0 Discovering=false", "hci0 Discovering=true"])
        bench.call("StopDiscovery", at: Bench.adapter)
        begin(["Transport": .string("le"), "RSSI": .int16(-127)])
        #expect(bench.look().contains("dev + Device1"))
    }

    @Test("During a connection, a firmware update removes the old objects and adds new ones")
    func update() {
        var bench = Bench()
        bench.connect()
        bench.call("StartNotify", at: Bench.value)
        _ = bench.look()
        bench.line("bluez update tester")
        let gone = bench.look()
        #expect(gone.first == "char000d Notifying=false")
        #expect(gone.contains("char000d - ") && gone.contains("service000c - "))
        #expect(!gone.contains { $0.contains("+") || $0.hasPrefix("dev") })
        bench.pass(.seconds(1))
        let new = bench.look()
        #expect(new.contains("char0011 + GattCharacteristic1") && !new.contains { $0.contains(" - ") })
        #expect(!new.contains { $0.contains("ServicesResolved") })
        #expect(bench.ask("ReadValue", at: Self.moved, .properties([:])) == "010203")
        bench.line("drop tester")
        bench.line("bluez update tester")
        bench.connect()
        #expect(bench.ask("ReadValue", at: Bench.value, .properties([:])) == "010203")
    }

    @Test(
        "An invalid line is answered with all allowed lines",
        arguments: [
            "", "refuse", "refuse Dance NotReady", "ignore ReadValue 0", "refuse Pair Failed 0s",
            "refuse Pair Failed 5m", "stale nobody", "update",
        ])
    func misunderstood(_ words: String) {
        var bench = Bench()
        bench.line("bluez \(words)")
        let messages = bench.others.compactMap { output in
            if case .report(let report) = output, case .error(let text) = report.event { text } else { nil }
        }
        #expect(messages.last?.contains("bluez refuse METHOD ERROR") == true)
        #expect(messages.last?.contains("devices: tester") == true)
    }
}
