import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import HostTesting
import JSON
import Logging
import Testing

@Suite("Commands with expires and an unsynchronized clock")
struct ClockTests {
    private static let warning = "a clock that is not synchronized"

    @Test("A motion command is refused with the reason clock, and a stop is obeyed")
    func hazardous() {
        withLab { lab in
            let bench = lab.bridge(.empty(join: .always), families: [RollerFamily()])
            bench.connectBroker()
            bench.hear("AA:BB:CC:00:00:01", name: "roller")
            bench.letStartPass()
            let later = TimeStamp(milliseconds: bench.time.date.milliseconds + 60_000)
            let payload = #"{"duration_ms":500,"id":7,"expires":"\#(later)"}"#
            bench.time.setSynchronised(false)
            bench.send("roll", payload, device: "roller")
            let refusal = bench.results("roller").last
            #expect(refusal?["code"] == "expired" && refusal?["reason"] == "clock" && refusal?["id"] == 7)
            bench.send("stop", #"{"expires":"\#(later)"}"#, device: "roller")
            #expect(bench.lastResult("roller") == "ok")
            bench.letStartPass()
            for known: Bool? in [true, nil] {
                bench.time.setSynchronised(known)
                bench.send("roll", payload, device: "roller")
                #expect(bench.lastResult("roller") == "ok", "\(String(describing: known))")
            }
            #expect(bench.log.count(.warning, Self.warning) == 0)
        }
    }

    @Test("A harmless command is checked anyway, with one warning in the life of the bridge")
    func harmless() {
        withBridge { bench in
            bench.goOnline()
            bench.time.setSynchronised(false)
            for (offset, code) in [(60_000, "ok"), (-1, "expired"), (60_000, "ok")] {
                let end = TimeStamp(milliseconds: bench.time.date.milliseconds + Int64(offset))
                bench.send("level", #"{"level":1,"expires":"\#(end)"}"#)
                #expect(bench.lastResult() == code)
            }
            bench.broker.send(
                "bridge/attic/request/devices", #"{"expires":"2030-01-01T00:00:00Z"}"#)
            #expect(bench.log.count(.warning, Self.warning) == 1)
        }
    }
}
