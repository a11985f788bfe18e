import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Requests to a device that is being removed are answered once")
struct LeavingTests {
    /// Returns the codes or the status of all answers to a request.
    private func responses(_ bench: TestBridge, _ request: String) -> [String] {
        bench.broker.objects("bridge/attic/response/\(request)").compactMap {
            ($0["code"] ?? $0["status"])?.string
        }
    }

    /// Runs a test after a reload without the device `a`, whose disconnection has not completed.
    private func withLeaving(_ body: (TestBridge) throws -> Void) rethrows {
        try ReloadLab.withDevices(ReloadLab.settings(["a", "b"])) { bench in
            bench.link(ReloadLab.addresses[0])?.setSlowToClose(true)
            bench.reload(ReloadLab.settings([nil, "b"]))
            try body(bench)
        }
    }

    @Test(
        "Commands, emergency stops and requests are answered before the device is disconnected, or with that")
    func meanwhile() {
        withLeaving { bench in
            bench.send("level", "60", device: "a")
            #expect(bench.lastResult("a") == "device_offline")
            bench.broker.send("all/stop/set", "now")
            #expect(bench.broker.objects("all/result").compactMap { $0["status"] } == ["ok"])
            bench.request("connect", "a")
            #expect(responses(bench, "connect") == ["device_offline"])
            bench.request("disconnect", "a")
            #expect(responses(bench, "disconnect") == [])
            bench.link(ReloadLab.addresses[0])?.setSlowToClose(false)
            #expect(responses(bench, "disconnect") == ["ok"])
            #expect(responses(bench, "reload") == ["ok"])
            bench.time.advance(by: .seconds(60))
            #expect(bench.results("a").count == 1)
            #expect(responses(bench, "connect").count == 1)
        }
    }

    @Test("A disconnect request for a removed device is answered while other devices are still closing")
    func othersGo() {
        ReloadLab.withDevices(ReloadLab.settings(["a", "b"])) { bench in
            bench.link(ReloadLab.addresses[1])?.setSlowToClose(true)
            bench.reload(ReloadLab.settings([]))
            bench.request("disconnect", "a")
            #expect(responses(bench, "disconnect") == ["ok"])
        }
    }

    @Test("A command that waits for the owner of a device is answered when the device is removed")
    func held() {
        withLab { lab in
            let bench = lab.bridge(ReloadLab.settings(["a"]))
            bench.client.setProbeFate(.held)
            bench.client.connect()
            bench.send("level", "60", device: "a")
            #expect(bench.results("a") == [])
            bench.configuration.set(ReloadedConfiguration(settings: ReloadLab.settings([])))
            bench.request("reload", "")
            #expect(bench.lastResponse("reload") == "ok")
            #expect(bench.lastResult("a") == "device_offline")
        }
    }

    @Test("A command that the broker delivers after the unsubscription is answered")
    func underWay() {
        ReloadLab.withDevices(ReloadLab.settings(["a", "b", "c"])) { bench in
            bench.reload(ReloadLab.settings([nil, "new", "c"]))
            for (name, answers) in [("a", 1), ("b", 1), ("never", 0)] {
                bench.client.deliverLate("\(name)/level/set", "60")
                #expect(
                    bench.results(name).compactMap { $0["code"] }
                        == Array(repeating: "unknown_device", count: answers))
            }
            bench.time.advance(by: .seconds(61))
            bench.client.deliverLate("a/level/set", "60")
            #expect(bench.results("a").count == 1)
        }
    }

    @Test("A bridge does not answer for a name that a device of another bridge has")
    func othersName() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            let cellar = lab.bridge(.oneDevice("cellar"))
            attic.goOnline()
            cellar.connectBroker()
            cellar.configuration.set(ReloadedConfiguration(settings: .empty("cellar")))
            cellar.broker.send("bridge/cellar/request/reload", "")
            cellar.client.deliverLate("sample/level/set", "60")
            #expect(attic.results() == [])
        }
    }
}
