import Bluetooth
import BridgeTesting
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("Stops under a former name of a device")
struct FormerNameTests {
    /// Runs a test with a device that joined and was renamed.
    private func withRenamed(_ body: (Lab, TestBridge) throws -> Void) rethrows {
        try withLab { lab in
            let device = BridgeState.Device(
                address: BridgeSettings.sample, family: "sample", name: "sample")
            let bench = lab.bridge(.empty(), store: MemoryStore(BridgeState(devices: [device])))
            bench.goOnline()
            bench.request("rename", #"{"device":"sample","to":"hall/sample"}"#)
            try body(lab, bench)
        }
    }

    /// How often the device was stopped.
    private func stops(_ bench: TestBridge) -> Int {
        bench.link()?.writes(SampleFamily.motor).count { $0 == [0] } ?? 0
    }

    @Test("Stops are obeyed and answered under the former name, and other commands are not")
    func obeyed() {
        withRenamed { _, bench in
            bench.send("halt", "")
            #expect(stops(bench) == 1)
            #expect(bench.results().last?["status"] == "ok")
            #expect(bench.results().last?["device"] == "hall/sample")
            #expect(bench.results("hall/sample") == [])
            bench.client.deliverLate("sample/level/set", "60")
            #expect(bench.lastResult() == "unknown_device")
        }
    }

    @Test("A device with its old name again answers each stop once, and unsubscribes from the former name")
    func again() {
        withRenamed { _, bench in
            bench.client.sendCopies()
            bench.request("rename", #"{"device":"hall/sample","to":"sample"}"#)
            #expect(!bench.client.filters.contains { $0.filter == "sample/halt/set" })
            let before = bench.results().count
            bench.send("halt", "")
            #expect(bench.results().count == before + 1)
            #expect(stops(bench) == 1)
            // The broker still delivers what it had matched before it processed the unsubscription.
            bench.client.deliverLate("sample/halt/set", "")
            #expect(bench.results().count == before + 1)
            #expect(stops(bench) == 2)
        }
    }

    @Test("Of several devices with the same former name, a stopped device answers")
    func several() {
        let others: [Address] = ["AA:BB:CC:00:00:01", "AA:BB:CC:A1:B2:C3", "AA:BB:CC:FF:00:01"]
        withLab { lab in
            let devices = others.enumerated().map { index, address in
                BridgeState.Device(
                    address: address, family: "sample", name: "s\(index)", formerNames: ["old"])
            }
            let bench = lab.bridge(.empty(), store: MemoryStore(BridgeState(devices: devices)))
            bench.goOnline()
            bench.send("halt", "", device: "old")
            #expect(stops(bench) == 1)
            #expect(bench.results("old").map { $0["status"] } == ["ok"])
            #expect(bench.results("old").last?["device"] == "s1")
        }
    }

    @Test("A duplicate stop to a removed device is answered once")
    func gone() {
        withRenamed { _, bench in
            bench.request("forget", #"{"device":"hall/sample"}"#)
            for _ in 0..<2 { bench.client.deliverLate("hall/sample/halt/set", #"{"id":1}"#) }
            #expect(bench.results("hall/sample").map { $0["code"] } == ["unknown_device"])
            bench.client.deliverLate("hall/sample/halt/set", #"{"id":2}"#)
            #expect(bench.results("hall/sample").count == 2)
        }
    }

    @Test("Stops are obeyed after a restart and after another rename")
    func restarted() {
        withRenamed { lab, bench in
            bench.request("rename", #"{"device":"hall/sample","to":"roof"}"#)
            bench.cancel()
            let next = lab.bridge(.empty(), store: bench.store)
            next.goOnline()
            for (index, name) in ["sample", "hall/sample", "roof"].enumerated() {
                next.send("halt", "", device: name)
                #expect(stops(next) == index + 1, "\(name)")
            }
        }
    }

    @Test("A stop under a name that another device has now stops both devices and is answered once")
    func taken() {
        withRenamed { lab, bench in
            let other: Address = "AA:BB:CC:00:00:07"
            bench.request("permit_join", "60")
            bench.hear(other)
            #expect(bench.availability() == "online")
            let before = bench.results().count
            bench.send("halt", "")
            #expect(stops(bench) == 1)
            #expect(bench.link(other)?.writes(SampleFamily.motor) == [[0]])
            #expect(bench.results().count == before + 1)
            bench.request("forget", "sample")
            bench.send("halt", "")
            #expect(stops(bench) == 2)
        }
    }

    @Test("Former names end with the device, and a regained name is no longer a former name")
    func ends() {
        withRenamed { _, bench in
            bench.request("rename", #"{"device":"hall/sample","to":"sample"}"#)
            #expect(bench.store.state.devices.first?.formerNames == ["hall/sample"])
            bench.send("halt", "")
            #expect(stops(bench) == 1)
            bench.request("forget", "sample")
            #expect(
                !bench.client.filters.contains {
                    $0.filter.hasSuffix("halt/set") && !$0.filter.hasPrefix("all/")
                })
            #expect(bench.store.state.devices == [])
        }
    }

    @Test("A second copy of a stop is not answered after the device has lost its name")
    func copyAfterTheEnd() {
        withRenamed { _, bench in
            bench.client.deliverLate("hall/sample/halt/set", "")
            #expect(bench.results("hall/sample").count == 1)
            bench.request("forget", "hall/sample")
            bench.client.deliverLate("hall/sample/halt/set", "")
            #expect(bench.results("hall/sample").count == 1)
            bench.client.deliverLate("hall/sample/level/set", "60")
            #expect(bench.results("hall/sample").last?["code"] == "unknown_device")
        }
    }

    @Test("Only the newest 32 former names are kept")
    func capacity() {
        withRenamed { _, bench in
            for index in 1...40 {
                let before = index == 1 ? "hall/sample" : "n\(index - 1)"
                bench.time.advance(by: .seconds(1))
                bench.request("rename", #"{"device":"\#(before)","to":"n\#(index)"}"#)
            }
            let names = bench.store.state.devices.first?.formerNames
            #expect(names?.count == 32 && names?.last == "n39" && names?.first == "n8")
        }
    }
}
