import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("A permission for a list of devices")
struct ListedAdmissionTests {
    private static let addresses: [Address] = (1...9).map { Address(number: 0xAABB_CC00_0000 + $0) }
    private var first: Address { Self.addresses[0] }
    private var second: Address { Self.addresses[1] }
    private var third: Address { Self.addresses[2] }

    private func withEmpty(maxDevices: Int = 200, _ body: (TestBridge) throws -> Void) rethrows {
        var settings = BridgeSettings.empty()
        settings.maxDevices = maxDevices
        try withLab { lab in
            let bench = lab.bridge(settings)
            bench.connectBroker()
            try body(bench)
        }
    }

    private func event(_ bench: TestBridge, _ name: String) -> JSON.Value? {
        bench.broker.objects("bridge/attic/event").last { $0["event"] == .string(name) }
    }

    private func answer(_ bench: TestBridge) -> JSON.Value? {
        bench.broker.objects("bridge/attic/response/permit_join").last
    }

    private func permit(_ bench: TestBridge, _ addresses: [Address], _ more: String = "") {
        let list = addresses.map { "\"\($0)\"" }.joined(separator: ",")
        bench.request("permit_join", #"{"seconds":60,"addresses":[\#(list)]\#(more)}"#)
    }

    @Test("A list of addresses admits exactly these devices at once, and ends with the last of them")
    func listed() {
        withEmpty { bench in
            bench.hear(third)
            permit(bench, [first, second, third, first])
            #expect(answer(bench)?["max"] == 3 && answer(bench)?["known"] == nil)
            for address in Self.addresses { bench.hear(address) }
            bench.time.advance(by: .milliseconds(500))
            #expect(Set(bench.store.state.devices.map(\.address)) == [first, second, third])
            let end = event(bench, "permit_join_ended")
            #expect(end?["reason"] == "admitted" && end?["devices"]?.array?.count == 3)
            #expect(end?["missing"] == nil && end?["advice"] == nil)
        }
    }

    @Test("Devices of a list that joined earlier are reported, and so are those that did not join")
    func partly() {
        withEmpty { bench in
            permit(bench, [first])
            bench.hear(first)
            bench.time.advance(by: .milliseconds(500))
            let fourth = Self.addresses[3]
            permit(bench, [first, second, fourth])
            #expect(answer(bench)?["max"] == 2 && answer(bench)?["known"] == ["sample"])
            bench.hear(second)
            bench.time.advance(by: .seconds(61))
            let end = event(bench, "permit_join_ended")
            #expect(end?["reason"] == "time" && end?["missing"] == [.string(fourth.description)])
            #expect(end?["devices"]?.array?.map { $0["address"] } == [.string(second.description)])
            #expect(
                end?["advice"]?.string?.hasPrefix("\(fourth) was not in range") == true, "\(end ?? .null)")
            // A list of known devices only is like the address of a known device.
            permit(bench, [first, second])
            #expect(answer(bench)?["known"]?.array?.count == 2)
            bench.time.advance(by: .seconds(61))
            #expect(event(bench, "permit_join_ended")?["missing"] == nil)
            #expect(
                event(bench, "permit_join_ended")?["advice"] == "this device is already known as sample")
        }
    }

    @Test("A list beyond the limit admits none of its devices, and each wrong list has its own error")
    func wrongLists() {
        withEmpty(maxDevices: 2) { bench in
            permit(bench, [first, second, third])
            #expect(answer(bench)?["code"] == "not_supported")
            #expect(
                answer(bench)?["message"]
                    == "3 devices cannot join: 0 devices have joined, and bluetooth.max_devices is 2: forget some, or raise it"
            )
            permit(bench, [first], #","address":"\#(second)""#)
            #expect(answer(bench)?["code"] == "invalid_value")
            #expect(answer(bench)?["message"] == "found address and addresses; allowed: one of them")
            bench.request("permit_join", #"{"addresses":["AA:BB"]}"#)
            #expect(answer(bench)?["status"] == "error")
            bench.request("permit_join", #"{"addresses":[]}"#)
            #expect(answer(bench)?["status"] == "error")
            bench.hear(first)
            #expect(bench.store.state.devices.isEmpty)
            #expect(bench.broker.retainedObject("bridge/attic/info")?["permit_join"] == false)
        }
    }
}
