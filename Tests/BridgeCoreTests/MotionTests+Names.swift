import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

// Motion after a device is renamed.
extension MotionTests {
    @Test("A device that is renamed back and forth can move under each name")
    func renamedBack() {
        withLab { lab in
            let settings = BridgeSettings(
                id: "attic", join: .permit, families: ["roller": [:]], version: "1.0", host: "attic.example")
            let device = BridgeState.Device(address: Self.address, family: "roller", name: "roller")
            let bench = lab.bridge(
                settings, families: [RollerFamily()], store: MemoryStore(BridgeState(devices: [device])))
            bench.connectBroker()
            bench.hear(Self.address, name: "roller")
            bench.letStartPass()
            #expect(roll(bench) == "ok")
            for (name, next) in [
                ("roller", "hall"), ("hall", "roller"), ("roller", "hall"), ("hall", "roller"),
            ] {
                bench.request("rename", #"{"device":"\#(name)","to":"\#(next)"}"#)
                bench.time.advance(by: .seconds(1))
                bench.send("roll", #"{"duration_ms":500,"id":"\#(next)"}"#, device: next)
                #expect(bench.results(next).last?["status"] == "ok", "\(bench.results(next).last ?? .null)")
            }
        }
    }

    @Test("An unsubscribed stop is missing until it is granted again")
    func regranted() {
        withLab { lab in
            let settings = BridgeSettings(
                id: "attic", join: .permit, families: ["roller": [:]], version: "1.0", host: "attic.example")
            let other: Address = "AA:BB:CC:00:00:08"
            let store = MemoryStore(
                BridgeState(devices: [
                    .init(address: Self.address, family: "roller", name: "roller"),
                    .init(address: other, family: "roller", name: "second"),
                ]))
            let bench = lab.bridge(settings, families: [RollerFamily()], store: store)
            bench.connectBroker()
            for address in [Self.address, other] { bench.hear(address, name: "roller") }
            bench.letStartPass()
            // The name and its stops are removed with the device.
            bench.request("rename", #"{"device":"roller","to":"hall"}"#)
            bench.request("forget", "hall")
            #expect(!bench.client.filters.contains { $0.filter == "roller/stop/set" })
            bench.client.refuseSubscription("roller/stop/set")
            bench.request("rename", #"{"device":"second","to":"roller"}"#)
            bench.time.advance(by: .seconds(3))
            bench.send("roll", #"{"duration_ms":500,"id":1}"#, device: "roller")
            #expect(bench.results("roller").last?["reason"] == "subscription")
        }
    }
}
