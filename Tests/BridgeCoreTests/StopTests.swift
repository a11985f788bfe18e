import Bluetooth
import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Messages
import Testing

@Suite("Stops overtake other commands, and void earlier commands")
struct StopTests {
    private func send(_ bench: TestBridge, _ feature: String, _ payload: String, at arrival: Duration) {
        bench.broker.send(
            IncomingMessage(
                topic: "sample/\(feature)/set", payload: Array(payload.utf8), arrival: arrival))
    }

    @Test("A stop voids older commands that it overtook: each is answered and none is executed")
    func overtaken() {
        withBridge { bench in
            bench.goOnline()
            let now = bench.time.now
            send(bench, "halt", "", at: now)
            send(bench, "aim", "90", at: now - .milliseconds(2))
            send(bench, "level", "60", at: now - .milliseconds(1))
            #expect(bench.motor == [[0]])
            #expect(bench.control.contains([5, 60]) == false)
            #expect(bench.results().map { $0["status"] } == ["ok", "error", "error"])
            #expect(bench.results().last?["message"] == "dropped: a stop came after it")
            send(bench, "aim", "90", at: now + .milliseconds(1))
            #expect(bench.motor == [[0], [6, 45]])
        }
    }

    @Test("all/stop voids earlier commands too")
    func allStop() {
        withBridge { bench in
            bench.goOnline()
            let now = bench.time.now
            bench.broker.send("all/stop/set", "")
            send(bench, "aim", "90", at: now - .milliseconds(2))
            #expect(bench.motor == [[0]])
            #expect(bench.lastResult() == "device_error")
        }
    }

    @Test("A stop with arguments voids nothing")
    func part() {
        withBridge { bench in
            bench.goOnline()
            let now = bench.time.now
            send(bench, "stop", #"{"hard":true}"#, at: now)
            send(bench, "aim", "90", at: now - .milliseconds(2))
            #expect(bench.motor == [[0], [6, 45]])
        }
    }

    @Test("A stop is obeyed even if the queue of commands that wait for the owner is full")
    func held() {
        withLab { lab in
            let bench = lab.bridge(.oneDevice())
            bench.client.setProbeFate(.held)
            bench.client.connect()
            for _ in 0..<300 { bench.send("level", "1") }
            bench.send("halt", "x")
            bench.client.setProbeFate(.delivered)
            bench.client.releaseProbes()
            #expect(bench.results().filter { $0["message"] == "dropped: a stop came after it" }.count == 255)
            #expect(bench.results().last?["feature"] == "halt")
            // The commands that found a full queue, and the command that the stop replaced.
            #expect(bench.results().filter { $0["code"] == "busy" }.count == 45)
            #expect(bench.results().count == 301)
        }
    }

    @Test("A device is stopped by the bridge that is connected to it, even if another bridge owns it")
    func otherVoice() {
        withLab { lab in
            let attic = lab.bridge(.oneDevice("attic"))
            let cellar = lab.bridge(.oneDevice("cellar"))
            attic.connectBroker()
            attic.hear()
            cellar.connectBroker()
            lab.broker.send("sample/halt/set", "")
            #expect(attic.motor == [[0]])
            #expect(lab.broker.objects("sample/result").count == 1)
        }
    }
}
