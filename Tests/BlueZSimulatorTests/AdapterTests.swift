import Bluetooth
import DBus
import Glibc
import Testing

@testable import BlueZSimulator

@Suite("Several adapters and stored devices")
struct AdapterTests {
    static let second: ObjectPath = "/org/bluez/hci1"
    static let deviceOnSecond: ObjectPath = "/org/bluez/hci1/dev_C0_FF_EE_00_00_01"

    private func makeBench() -> Bench {
        Bench { $0.adapters.append(LookAlike.AdapterDescription(name: "hci1", address: "02:B1:7E:00:00:01")) }
    }

    @Test("Each adapter receives a device separately, but only one is connected to it")
    func twoAdapters() {
        var bench = makeBench()
        bench.connect()
        bench.call("StartDiscovery", at: Self.second)
        bench.pass(.seconds(3))
        #expect(bench.look() == ["hci1 Discovering=true"])
        bench.line("drop tester")
        bench.pass(.seconds(1))
        #expect(bench.look().last == "dev + Device1")
        let call = bench.call("Connect", at: Self.deviceOnSecond)
        bench.pass(.seconds(1))
        #expect(bench.answers[call] == "")
        let other = bench.call("Connect", at: Bench.device)
        bench.pass(.seconds(39))
        #expect(bench.answers[other] == nil)
        bench.pass(.seconds(1))
        #expect(bench.answers[other] == "Failed: le-connection-abort-by-local")
    }

    @Test("An adapter that is removed removes only its own devices")
    func removeOne() {
        var bench = makeBench()
        for adapter in [Bench.adapter, Self.second] { bench.call("StartDiscovery", at: adapter) }
        bench.pass(.milliseconds(100))
        _ = bench.look()
        bench.line("adapter remove hci1")
        #expect(
            bench.look() == ["dev - ", "hci1 Powered=false Discovering=false", "hci1 - "])
        bench.line("adapter remove hci1")
        #expect(bench.look() == [])
        #expect(bench.ask("RemoveDevice", at: Bench.adapter, .objectPath(Bench.device)) == "")
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
