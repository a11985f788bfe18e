import BridgeTesting
import JSON
import Messages
import Testing

@testable import BridgeContract
@testable import BridgeCore
@testable import BridgeParts

@Suite("The newest value of a stream, on request")
struct LastReportTests {
    private func ask(_ bench: TestBridge, _ feature: String, _ device: String = "sample") -> JSON.Value {
        bench.request("last_report", #"{"device":"\#(device)","feature":"\#(feature)"}"#)
        return bench.broker.objects("bridge/attic/response/last_report").last ?? .null
    }

    @Test("The answer contains the value and its time, also for an offline and renamed device")
    func newest() {
        withLab { lab in
            let device = BridgeState.Device(
                address: BridgeSettings.sample, family: "sample", name: "sample")
            let bench = lab.bridge(.empty(), store: MemoryStore(BridgeState(devices: [device])))
            bench.goOnline()
            let none = ask(bench, "motion")
            #expect(none["status"] == "ok" && none["value"] == .null && none["published_at"] == .null)
            for place in [7, 9] as [UInt8] { bench.link()?.notify(SampleFamily.status, [4, place]) }
            let date = ask(bench, "motion")["published_at"]
            #expect(date?.string != nil)
            bench.link()?.lose("gone")
            bench.time.advance(by: .seconds(60))
            bench.request("rename", #"{"device":"sample","to":"hall"}"#)
            let newest = ask(bench, "motion", "hall")
            #expect(newest["value"] == ["x": 9] && newest["published_at"] == date)
            #expect(newest["device"] == "hall" && newest["time"] != date)
        }
    }

    @Test("A feature that is no stream is refused with the names of the streams")
    func refused() {
        withBridge { bench in
            bench.goOnline()
            for feature in ["level", "pressed", "motin"] {
                let answer = ask(bench, feature)
                #expect(answer["code"] == "unknown_feature")
                #expect(answer["message"]?.string?.contains("motion") == true)
            }
            let state = ask(bench, "level")["message"]?.string
            #expect(state?.contains("is retained on sample/level") == true, "\(state ?? "")")
            #expect(
                ask(bench, "help")["message"]?.string?.hasPrefix("help: not known here; allowed: ") == true)
            #expect(ask(bench, "motion", "other")["code"] == "unknown_device")
        }
    }
}
