import DBus
import Testing
import VirtualDevices

@testable import BlueZSimulator

@Suite("Discovery in the BlueZ simulator")
struct DiscoveryTests {
    @Test("Adapters appear switched off, then their managers appear, then they are switched on")
    func adapters() {
        var bench = Bench()
        bench.line("adapter remove")
        #expect(bench.look() == ["hci0 Powered=false Discovering=false", "hci0 - "])
        bench.line("adapter add")
        bench.pass(.seconds(1))
        #expect(
            bench.look() == [
                "hci0 + Adapter1 GattManager1", "hci0 + LEAdvertisingManager1", "hci0 Powered=true",
            ])
    }

    @Test("A device is found once, and has a signal strength only while a client discovers")
    func find() {
        var bench = Bench()
        #expect(bench.ask("StopDiscovery", at: Bench.adapter) == "Failed: No discovery started")
        #expect(
            bench.ask("SetDiscoveryFilter", at: Bench.adapter, .properties(["Transport": .string("le")]))
                == "")
        #expect(bench.ask("StartDiscovery", at: Bench.adapter) == "")
        #expect(bench.ask("StartDiscovery", at: Bench.adapter) == "InProgress: Operation already in progress")
        bench.pass(.milliseconds(1100))
        let found = bench.look()
        #expect(found.prefix(2) == ["hci0 Discovering=true", "dev + Device1"])
        #expect(found.count == 3 && found[2].hasPrefix("dev RSSI=-5"))
        #expect(bench.ask("StartDiscovery", at: Bench.adapter, by: ":1.2") == "")
        #expect(bench.ask("StopDiscovery", at: Bench.adapter) == "")
        #expect(bench.look() == [])
        #expect(bench.ask("StopDiscovery", at: Bench.adapter, by: ":1.2") == "")
        #expect(bench.look() == ["dev RSSI=nil", "hci0 Discovering=false"])
    }

    @Test("Without a filter, a small change of the signal strength is not signaled")
    func smallChange() {
        var bench = Bench()
        bench.call("StartDiscovery", at: Bench.adapter)
        bench.pass(.seconds(5))
        #expect(bench.look() == ["hci0 Discovering=true", "dev + Device1"])
    }

    @Test("A temporary device is removed half a minute after its last advertisement")
    func temporary() {
        var bench = Bench()
        bench.call("StartDiscovery", at: Bench.adapter)
        bench.pass(.seconds(60))
        _ = bench.look()
        bench.line("mute tester")
        bench.pass(.seconds(29))
        #expect(bench.look() == [])
        bench.pass(.seconds(2))
        #expect(bench.look() == ["dev - "])
        bench.line("unmute tester")
        bench.pass(.milliseconds(50))
        #expect(bench.look() == ["dev + Device1"])
    }

    @Test("A device that does not match the filter is not found")
    func filtered() {
        var bench = Bench()
        bench.call(
            "SetDiscoveryFilter", at: Bench.adapter, .properties(["UUIDs": .strings(["180a"])]))
        bench.call("StartDiscovery", at: Bench.adapter)
        bench.pass(.seconds(5))
        #expect(bench.look() == ["hci0 Discovering=true"])
    }

    @Test("A new name is signaled")
    func rename() {
        var bench = Bench()
        bench.call("StartDiscovery", at: Bench.adapter)
        bench.pass(.milliseconds(500))
        _ = bench.look()
        bench.line("tester rename")
        bench.pass(.seconds(1))
        #expect(bench.look() == ["dev Name=Renamed Alias=Renamed"])
    }

    @Test("Manufacturer data is present when the device is found, and changes are signaled")
    func manufacturerData() {
        var device = TestDevice()
        device.advertisement.manufacturerData = [0x59: [2]]
        var bench = Bench(device)
        bench.call("StartDiscovery", at: Bench.adapter)
        bench.pass(.milliseconds(500))
        let found = bench.daemon.devices.values.map { record in
            bench.daemon.properties(of: record, adapter: "hci0").first { $0.name == "ManufacturerData" }?
                .value
        }
        #expect(found == [.manufacturerData([0x59: [2]])])
        _ = bench.look()
        bench.line("tester brand")
        bench.pass(.seconds(1))
        #expect(bench.look() == ["dev ManufacturerData=76:,89:0207"])
    }

    @Test("An adapter that is off rejects discovery and removes temporary devices")
    func powerOff() {
        var bench = Bench()
        bench.call("StartDiscovery", at: Bench.adapter)
        bench.pass(.seconds(1))
        _ = bench.look()
        #expect(bench.set("Powered", .bool(false), at: Bench.adapter) == "")
        #expect(bench.look() == ["dev - ", "hci0 Powered=false Discovering=false"])
        #expect(bench.ask("StartDiscovery", at: Bench.adapter) == "NotReady: Resource Not Ready")
        #expect(bench.ask("StopDiscovery", at: Bench.adapter) == "NotReady: Resource Not Ready")
        bench.line("adapter on")
        #expect(bench.ask("StopDiscovery", at: Bench.adapter) == "Failed: No discovery started")
    }

    @Test("Discovery ends when its client leaves")
    func clientLeaves() {
        var bench = Bench()
        bench.call("StartDiscovery", at: Bench.adapter)
        bench.pass(.seconds(1))
        _ = bench.look()
        bench.leave(":1.1")
        #expect(bench.look() == ["dev RSSI=nil", "hci0 Discovering=false"])
    }

    @Test("Writable properties of adapter and device are set and signaled")
    func setProperties() {
        var bench = Bench()
        bench.discover()
        #expect(bench.set("Alias", .string("me"), at: Bench.adapter) == "")
        #expect(bench.set("Pairable", .bool(false), at: Bench.adapter) == "")
        #expect(bench.set("Trusted", .bool(true), at: Bench.device) == "")
        #expect(bench.set("Alias", .string("mine"), at: Bench.device) == "")
        #expect(bench.set("Alias", .string(""), at: Bench.device) == "")
        #expect(
            bench.look() == [
                "hci0 Alias=me", "hci0 Pairable=false", "dev Trusted=true", "dev Alias=mine",
                "dev Alias=Tester",
            ])
    }

    @Test("RemoveDevice removes a device")
    func remove() {
        var bench = Bench()
        bench.discover()
        #expect(bench.ask("RemoveDevice", at: Bench.adapter, .objectPath(Bench.device)) == "")
        #expect(bench.look() == ["dev - "])
        #expect(
            bench.ask("RemoveDevice", at: Bench.adapter, .objectPath(Bench.device))
                == "DoesNotExist: Does Not Exist")
    }

    @Test("An invalid line about an adapter is answered with the allowed lines")
    func misunderstood() {
        var bench = Bench()
        bench.others = []
        bench.line("adapter explode")
        guard case .report(let report) = bench.others.first, case .error(let message) = report.event else {
            Issue.record("no report: \(bench.others)")
            return
        }
        #expect(
            message
                == "expected 'adapter on|off|remove|add [name]' or 'adapter links 0...1000|any [name]'; there are: hci0"
        )
    }
}
