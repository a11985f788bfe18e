import BridgeContract
import BridgeCore
import BridgeTesting
import DeviceKit
import JSON
import Testing

@Suite("Recordings by request")
struct RecordingRequestTests {
    private func response(_ bench: TestBridge) -> JSON.Value? {
        bench.broker.objects("bridge/attic/response/record").last
    }

    private func lines(_ bench: TestBridge) -> [JSON.Value] {
        (bench.recordings.files.last?.text ?? "").split(separator: "\n").compactMap {
            try? JSON.Value(parsing: $0.utf8)
        }
    }

    private func lastEvent(_ bench: TestBridge) -> JSON.Value? {
        bench.broker.objects("bridge/attic/event").last
    }

    @Test("A recording contains events of the connection, commands and published messages with their times")
    func session() {
        withBridge { bench in
            bench.connectBroker()
            bench.request("record", #"{"seconds":60}"#)
            #expect(response(bench)?["status"] == "ok")
            #expect(response(bench)?["path"] == "/recordings/1")
            #expect(response(bench)?["standing"] == [])
            bench.hear()
            bench.time.advance(by: .milliseconds(250))
            bench.broker.send("sample/level/set", "40")
            bench.link()?.notify(SampleFamily.status, [7, 40])
            bench.time.advance(by: .milliseconds(100))
            bench.request("record", "0")
            let lines = lines(bench)
            #expect(lines.first?["recording"] == 1)
            #expect(lines.first?["bridge"] == "attic")
            #expect(lines.last?["event"] == "end")
            let events = lines.compactMap { $0["event"]?.string }
            for event in ["link", "subscribe", "write", "command", "notify", "publish"] {
                #expect(events.contains(event), "\(event) in \(events)")
            }
            let link = lines.first { $0["event"] == "link" }
            #expect(link?["family"] == "sample")
            #expect(link?["address"] == "C0:00:00:00:00:01")
            #expect(link?["characteristics"]?["aa00/aa02"] != nil)
            let command = lines.first { $0["event"] == "command" }
            #expect(command?["feature"] == "level")
            #expect(command?["payload"] == "40")
            let notification = lines.first { $0["event"] == "notify" }
            #expect(notification?["characteristic"] == "aa00/aa02")
            #expect(notification?["hex"] == "0728")
            let times = lines.compactMap { $0["ms"]?.integer }
            #expect(times == times.sorted())
            #expect((times.last ?? 0) >= 350)
            #expect(bench.recordings.files.last?.text.contains("AA:BB:CC:A1:B2:C3") == false)
        }
    }

    @Test("A recording ends and is closed when its time is over, with an event")
    func time() {
        withBridge { bench in
            bench.goOnline()
            bench.request("record", "2")
            #expect(response(bench)?["standing"] == ["sample"])
            #expect(bench.events().last == "recording_began")
            bench.time.advance(by: .seconds(1))
            #expect(bench.recordings.files.last?.isClosed == false)
            bench.time.advance(by: .seconds(2))
            #expect(bench.recordings.files.last?.isClosed == true)
            #expect(lastEvent(bench)?["event"] == "recording_ended")
            #expect(lastEvent(bench)?["reason"] == "time")
            let text = bench.recordings.files.last?.text ?? ""
            #expect(lastEvent(bench)?["bytes"]?.integer == text.utf8.count)
            // Nothing is written after the end.
            bench.link()?.notify(SampleFamily.status, [7, 41])
            bench.time.advance(by: .seconds(1))
            #expect(bench.recordings.files.last?.text == text)
        }
    }

    @Test(
        "A second recording is refused with the current path, and a duration of 0 ends the current recording"
    )
    func second() {
        withBridge { bench in
            bench.goOnline()
            bench.request("record", "60")
            bench.request("record", "60")
            #expect(bench.lastResponse("record") == "busy")
            #expect(response(bench)?["message"]?.string?.contains("/recordings/1") == true)
            bench.request("record", "0")
            #expect(response(bench)?["path"] == "/recordings/1")
            #expect(response(bench)?["reason"] == "request")
            bench.request("record", "0")
            #expect(response(bench)?["status"] == "ok")
            #expect(response(bench)?["path"] == nil)
            bench.request("record", "60")
            #expect(response(bench)?["path"] == "/recordings/2")
        }
    }

    @Test("Only the named devices are recorded, and an unknown name is refused")
    func devices() {
        withBridge { bench in
            bench.goOnline()
            bench.request("record", #"{"devices":["belt"]}"#)
            #expect(bench.lastResponse("record") == "unknown_device")
            #expect(bench.recordings.files.isEmpty)
            bench.request("record", #"{"devices":["sample"],"private":true}"#)
            #expect(bench.lastResponse("record") == "ok")
            bench.time.advance(by: .milliseconds(100))
            bench.request("record", "0")
            #expect(bench.recordings.files.last?.text.contains("AA:BB:CC:A1:B2:C3") == true)
        }
    }

    @Test("A full disk ends only the recording, with a log line and an event")
    func disk() {
        withBridge { bench in
            bench.goOnline()
            bench.recordings.setFailure("No space left on device")
            bench.request("record", "60")
            #expect(bench.lastResponse("record") == "internal")
            bench.recordings.setFailure(nil)
            bench.request("record", "60")
            bench.time.advance(by: .milliseconds(200))
            bench.recordings.setFailure("No space left on device")
            bench.link()?.notify(SampleFamily.status, [7, 42])
            bench.time.advance(by: .milliseconds(200))
            #expect(lastEvent(bench)?["event"] == "recording_ended")
            #expect(lastEvent(bench)?["reason"] == "disk")
            #expect(lastEvent(bench)?["message"] == "No space left on device")
            #expect(bench.recordings.files.last?.isClosed == true)
            #expect(bench.broker.retained("bridge/attic/availability") == "online")
            bench.recordings.setFailure(nil)
            bench.request("record", "60")
            #expect(bench.lastResponse("record") == "ok")
        }
    }

    @Test("Shutdown ends the recording cleanly, after the last messages of the devices")
    func shutdown() {
        withBridge { bench in
            bench.goOnline()
            bench.request("record", "60")
            bench.shutDown()
            bench.time.advance(by: .seconds(3))
            #expect(bench.isOver)
            #expect(bench.recordings.files.last?.isClosed == true)
            #expect(lines(bench).last?["reason"] == "shutdown")
            let topics = lines(bench).filter { $0["payload"] == "offline" }.compactMap { $0["topic"]?.string }
            #expect(topics == ["sample/availability"])
        }
    }
}
