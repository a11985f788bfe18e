import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("Discovery in the BlueZ simulator")
struct DiscoveryTests {
    @Test("Adapters appear switched off, then their managers appear, then they are switched on")
    func adapters() {
        var harness = SimulatorHarness()
        harness.line("adapter remove")
        #expect(harness.look() == ["hci0 Powered=false Discovering=false", "hci0 - "])
        harness.line("adapter add")
        harness.pass(.seconds(1))
        #expect(
            harness.look() == [
                "hci0 + Adapter1 GattManager1", "hci0 + LEAdvertisingManager1", "hci0 Powered=true",
            ])
    }

    @Test("A device is found once, and has a signal strength only while a client discovers")
    func find() {
        var harness = SimulatorHarness()
        #expect(harness.ask("StopDiscovery", at: SimulatorHarness.adapter) == "Failed: No discovery started")
        #expect(
            harness.ask(
                "SetDiscoveryFilter", at: SimulatorHarness.adapter, .properties(["Transport": .string("le")]))
                == "")
        #expect(harness.ask("StartDiscovery", at: SimulatorHarness.adapter) == "")
        #expect(
            harness.ask("StartDiscovery", at: SimulatorHarness.adapter)
                == "InProgress: Operation already in progress")
        harness.pass(.milliseconds(1100))
        let found = harness.look()
        #expect(found.prefix(2) == ["hci0 Discovering=true", "dev + Device1"])
        #expect(found.count == 3 && found[2].hasPrefix("dev RSSI=-5"))
        #expect(harness.ask("StartDiscovery", at: SimulatorHarness.adapter, by: ":1.2") == "")
        #expect(harness.ask("StopDiscovery", at: SimulatorHarness.adapter) == "")
        #expect(harness.look() == [])
        #expect(harness.ask("StopDiscovery", at: SimulatorHarness.adapter, by: ":1.2") == "")
        #expect(harness.look() == ["dev RSSI=nil", "hci0 Discovering=false"])
    }

    @Test("Without a filter, a small change of the signal strength is not signaled")
    func smallChange() {
        var harness = SimulatorHarness()
        harness.call("StartDiscovery", at: SimulatorHarness.adapter)
        harness.pass(.seconds(5))
        #expect(harness.look() == ["hci0 Discovering=true", "dev + Device1"])
    }

    @Test("A temporary device is removed half a minute after its last advertisement")
    func temporary() {
        var harness = SimulatorHarness()
        harness.call("StartDiscovery", at: SimulatorHarness.adapter)
        harness.pass(.seconds(60))
        _ = harness.look()
        harness.line("mute tester")
        harness.pass(.seconds(29))
        #expect(harness.look() == [])
        harness.pass(.seconds(2))
        #expect(harness.look() == ["dev - "])
        harness.line("unmute tester")
        harness.pass(.milliseconds(50))
        #expect(harness.look() == ["dev + Device1"])
    }

    @Test("A device that does not match the filter is not found")
    func filtered() {
        var harness = SimulatorHarness()
        harness.call(
            "SetDiscoveryFilter", at: SimulatorHarness.adapter, .properties(["UUIDs": .strings(["180a"])]))
        harness.call("StartDiscovery", at: SimulatorHarness.adapter)
        harness.pass(.seconds(5))
        #expect(harness.look() == ["hci0 Discovering=true"])
    }

    @Test("A new name is signaled")
    func rename() {
        var harness = SimulatorHarness()
        harness.call("StartDiscovery", at: SimulatorHarness.adapter)
        harness.pass(.milliseconds(500))
        _ = harness.look()
        harness.line("tester rename")
        harness.pass(.seconds(1))
        #expect(harness.look() == ["dev Name=Renamed Alias=Renamed"])
    }

    @Test("Manufacturer data is present when the device is found, and changes are signaled")
    func manufacturerData() {
        var device = TestDevice()
        device.advertisement.manufacturerData = [0x59: [2]]
        var harness = SimulatorHarness(device)
        harness.call("StartDiscovery", at: SimulatorHarness.adapter)
        harness.pass(.milliseconds(500))
        let found = harness.daemon.devices.values.map { record in
            harness.daemon.properties(of: record, adapter: "hci0").first { $0.name == "ManufacturerData" }?
                .value
        }
        #expect(found == [.manufacturerData([0x59: [2]])])
        _ = harness.look()
        harness.line("tester brand")
        harness.pass(.seconds(1))
        #expect(harness.look() == ["dev ManufacturerData=76:,89:0207"])
    }

    @Test("An adapter that is off rejects discovery and removes temporary devices")
    func powerOff() {
        var harness = SimulatorHarness()
        harness.call("StartDiscovery", at: SimulatorHarness.adapter)
        harness.pass(.seconds(1))
        _ = harness.look()
        #expect(harness.set("Powered", .bool(false), at: SimulatorHarness.adapter) == "")
        #expect(harness.look() == ["dev - ", "hci0 Powered=false Discovering=false"])
        #expect(harness.ask("StartDiscovery", at: SimulatorHarness.adapter) == "NotReady: Resource Not Ready")
        #expect(harness.ask("StopDiscovery", at: SimulatorHarness.adapter) == "NotReady: Resource Not Ready")
        harness.line("adapter on")
        #expect(harness.ask("StopDiscovery", at: SimulatorHarness.adapter) == "Failed: No discovery started")
    }

    @Test("Discovery ends when its client leaves")
    func clientLeaves() {
        var harness = SimulatorHarness()
        harness.call("StartDiscovery", at: SimulatorHarness.adapter)
        harness.pass(.seconds(1))
        _ = harness.look()
        harness.leave(":1.1")
        #expect(harness.look() == ["dev RSSI=nil", "hci0 Discovering=false"])
    }

    @Test("Writable properties of adapter and device are set and signaled")
    func setProperties() {
        var harness = SimulatorHarness()
        harness.discover()
        #expect(harness.set("Alias", .string("me"), at: SimulatorHarness.adapter) == "")
        #expect(harness.set("Pairable", .bool(false), at: SimulatorHarness.adapter) == "")
        #expect(harness.set("Trusted", .bool(true), at: SimulatorHarness.device) == "")
        #expect(harness.set("Alias", .string("mine"), at: SimulatorHarness.device) == "")
        #expect(harness.set("Alias", .string(""), at: SimulatorHarness.device) == "")
        #expect(
            harness.look() == [
                "hci0 Alias=me", "hci0 Pairable=false", "dev Trusted=true", "dev Alias=mine",
                "dev Alias=Tester",
            ])
    }

    @Test("RemoveDevice removes a device")
    func remove() {
        var harness = SimulatorHarness()
        harness.discover()
        #expect(
            harness.ask("RemoveDevice", at: SimulatorHarness.adapter, .objectPath(SimulatorHarness.device))
                == "")
        #expect(harness.look() == ["dev - "])
        #expect(
            harness.ask("RemoveDevice", at: SimulatorHarness.adapter, .objectPath(SimulatorHarness.device))
                == "DoesNotExist: Does Not Exist")
    }

    @Test("An invalid line about an adapter is answered with the allowed lines")
    func misunderstood() {
        var harness = SimulatorHarness()
        harness.others = []
        harness.line("adapter explode")
        guard case .report(let report) = harness.others.first, case .error(let message) = report.event else {
            Issue.record("no report: \(harness.others)")
            return
        }
        #expect(
            message
                == "expected 'adapter on|off|remove|add [name]' or 'adapter links 0...1000|any [name]'; there are: hci0"
        )
    }
}
