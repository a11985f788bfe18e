import Bluetooth
import DBus
import Glibc
import Testing

@testable import BlueZSimulator

@Suite("Several adapters and stored devices")
struct AdapterTests {
    static let second: ObjectPath = "/org/bluez/hci1"
    static let deviceOnSecond: ObjectPath = "/org/bluez/hci1/dev_C0_FF_EE_00_00_01"

    private func makeBench() -> SimulatorHarness {
        SimulatorHarness {
            $0.adapters.append(LookAlike.AdapterDescription(name: "hci1", address: "02:B1:7E:00:00:01"))
        }
    }

    @Test("Each adapter receives a device separately, but only one is connected to it")
    func twoAdapters() {
        var harness = makeBench()
        harness.connect()
        harness.call("StartDiscovery", at: Self.second)
        harness.pass(.seconds(3))
        #expect(harness.look() == ["hci1 Discovering=true"])
        harness.line("drop tester")
        harness.pass(.seconds(1))
        #expect(harness.look().last == "dev + Device1")
        let call = harness.call("Connect", at: Self.deviceOnSecond)
        harness.pass(.seconds(1))
        #expect(harness.answers[call] == "")
        let other = harness.call("Connect", at: SimulatorHarness.device)
        harness.pass(.seconds(39))
        #expect(harness.answers[other] == nil)
        harness.pass(.seconds(1))
        #expect(harness.answers[other] == "Failed: le-connection-abort-by-local")
    }

    @Test("An adapter that is removed removes only its own devices")
    func removeOne() {
        var harness = makeBench()
        for adapter in [SimulatorHarness.adapter, Self.second] { harness.call("StartDiscovery", at: adapter) }
        harness.pass(.milliseconds(100))
        _ = harness.look()
        harness.line("adapter remove hci1")
        #expect(
            harness.look() == ["dev - ", "hci1 Powered=false Discovering=false", "hci1 - "])
        harness.line("adapter remove hci1")
        #expect(harness.look() == [])
        #expect(
            harness.ask("RemoveDevice", at: SimulatorHarness.adapter, .objectPath(SimulatorHarness.device))
                == "")
    }

    @Test("A file stores known devices, and a missing file is empty")
    func memoryFile() throws {
        var template = Array("/tmp/simulator-memory-XXXXXX".utf8CString)
        let directory = String(cString: try #require(mkdtemp(&template)))
        let file = MemoryFile(path: directory + "/known")
        defer {
            unlink(file.path)
            rmdir(directory)
        }
        #expect(file.read() == [])
        let known = [
            KnownDevice(
                adapter: "02:B1:7E:00:00:00", device: "C0:FF:EE:00:00:01", isBonded: true, isTrusted: false),
            KnownDevice(
                adapter: "02:B1:7E:00:00:01", device: "C0:FF:EE:00:00:01", isBonded: false, isTrusted: true),
        ]
        file.write(known)
        #expect(file.read() == known)
        file.write([])
        #expect(file.read() == [])
    }
}
