import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("Faults of the simulated BlueZ daemon")
struct FaultTests {
    private static let service = SimulatorHarness.device.appending("service000c")
    /// The object of the value after the handles were shifted by the firmware update service.
    private static let moved = SimulatorHarness.device.appending("service0010").appending("char0011")

    @Test("Calls of a method are rejected for the requested number of calls, and then accepted")
    func refused() {
        var harness = SimulatorHarness()
        harness.line("bluez refuse StartDiscovery NotReady 2")
        #expect(harness.ask("StartDiscovery", at: SimulatorHarness.adapter) == "NotReady: Resource Not Ready")
        #expect(harness.ask("StartDiscovery", at: SimulatorHarness.adapter) == "NotReady: Resource Not Ready")
        #expect(harness.ask("StartDiscovery", at: SimulatorHarness.adapter) == "")
    }

    @Test("Calls of a method are rejected for the requested time, and then accepted")
    func refusedForTime() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.line("bluez refuse ReadValue InProgress 5s")
        for _ in 0..<4 {
            #expect(
                harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:]))
                    == "InProgress: In Progress")
            harness.pass(.seconds(1))
        }
        harness.pass(.seconds(1))
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == "010203")
    }

    @Test("A call stays unanswered and has no effect")
    func ignored() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.line("bluez ignore ReadValue")
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == nil)
        harness.pass(.seconds(60))
        #expect(harness.look() == [])
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == "010203")
    }

    @Test("A stale cache lacks the device's own services until the device is removed")
    func stale() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.line("bluez stale tester")
        harness.line("drop tester")
        harness.connect()
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) != "010203")
        #expect(
            harness.ask("RemoveDevice", at: SimulatorHarness.adapter, .objectPath(SimulatorHarness.device))
                == nil)
        harness.pass(.seconds(3))
        harness.connect()
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == "010203")
    }

    @Test("A deaf adapter reports discovery, but receives nothing until a start with a different filter")
    func deaf() {
        var harness = SimulatorHarness()
        func begin(_ filter: [String: Value]) {
            harness.call("SetDiscoveryFilter", at: SimulatorHarness.adapter, .properties(filter))
            harness.call("StartDiscovery", at: SimulatorHarness.adapter)
            harness.pass(.seconds(5))
        }
        begin(["Transport": .string("le")])
        harness.line("bluez deaf")
        _ = harness.look()
        harness.pass(.seconds(60))
        #expect(!harness.look().contains { $0.contains("RSSI") })
        harness.call("StopDiscovery", at: SimulatorHarness.adapter)
        begin(["Transport": .string("le")])
        #expect(harness.look() == ["hci0 Discovering=false", "hci0 Discovering=true"])
        harness.call("StopDiscovery", at: SimulatorHarness.adapter)
        begin(["Transport": .string("le"), "RSSI": .int16(-127)])
        #expect(harness.look().contains("dev + Device1"))
    }

    @Test("During a connection, a firmware update removes the old objects and adds new ones")
    func update() {
        var harness = SimulatorHarness()
        harness.connect()
        harness.call("StartNotify", at: SimulatorHarness.value)
        _ = harness.look()
        harness.line("bluez update tester")
        let gone = harness.look()
        #expect(gone.first == "char000d Notifying=false")
        #expect(gone.contains("char000d - ") && gone.contains("service000c - "))
        #expect(!gone.contains { $0.contains("+") || $0.hasPrefix("dev") })
        harness.pass(.seconds(1))
        let new = harness.look()
        #expect(new.contains("char0011 + GattCharacteristic1") && !new.contains { $0.contains(" - ") })
        #expect(!new.contains { $0.contains("ServicesResolved") })
        #expect(harness.ask("ReadValue", at: Self.moved, .properties([:])) == "010203")
        harness.line("drop tester")
        harness.line("bluez update tester")
        harness.connect()
        #expect(harness.ask("ReadValue", at: SimulatorHarness.value, .properties([:])) == "010203")
    }

    @Test(
        "An invalid line is answered with all allowed lines",
        arguments: [
            "", "refuse", "refuse Dance NotReady", "ignore ReadValue 0", "refuse Pair Failed 0s",
            "refuse Pair Failed 5m", "stale nobody", "update",
        ])
    func misunderstood(_ words: String) {
        var harness = SimulatorHarness()
        harness.line("bluez \(words)")
        let messages = harness.others.compactMap { output in
            if case .report(let report) = output, case .error(let text) = report.event { text } else { nil }
        }
        #expect(messages.last?.contains("bluez refuse METHOD ERROR") == true)
        #expect(messages.last?.contains("devices: tester") == true)
    }
}
