import EventLoop
import HostTesting
import JSON
import Testing

/// The fault matrix measures each mode with each cause: "belt silence in every mode".
@Suite("A belt is silenced, or the answer reports what is uncertain", .serialized)
struct BeltSilenceTests {
    @Test(
        "A system signal outside the channels ends on its own, one on channel 0 is stopped; neither is confirmed"
    )
    func systemSignals() async throws {
        for (place, limit) in [("own", Duration.seconds(4)), ("channel_0", .milliseconds(500))] {
            let it = try BeltBench(choices: "system_signals: \(place)")
            for mode in ["wait", "compass", "app"] {
                try it.enter(mode)
                try it.bench.expectOK("belt/signal/set", "destination_reached")
                try it.belt.expect("the signal") {
                    $0["event"] == "feel" && $0["motors"]?.array?.count == 4
                }
                let start = EventLoop.now
                let answer = try it.bench.ask("belt/stop/set", "all")
                #expect(answer["status"] == "ok" && answer["confirmed"] == false, "\(place): \(answer)")
                let time = try it.silence(since: start, place)
                #expect(time < limit, "\(place), \(mode)")
                #expect(place == "channel_0" || time > .milliseconds(500), "it is not ended")
            }
            let all = try it.bench.ask("all/stop/set", "now")
            #expect(
                all["confirmed"] == false && all["members"]?.array?.first?["confirmed"] == false, "\(all)")
            let group = try it.bench.ask("all/belts/stop/set", "all")
            #expect(group["confirmed"] == false, "\(group)")
        }
    }

    @Test(
        "A belt that ignores commands in pause mode does not resume its vibration after a stop")
    func pause() throws {
        let it = try BeltBench(choices: "vibrates_in_pause: false, channels_survive: true")
        for stop in ["belt/stop/set", "all/stop/set"] {
            try it.enter("wait")
            try it.begin(.vibrate)
            try it.bench.act("belt press pause")
            try it.belt.expectMotors([])
            try it.bench.watcher.expect("belt/mode", "pause")
            let answer = try it.bench.ask(stop, "all")
            #expect(answer["status"] == "ok" && answer["confirmed"] == false, "\(answer)")
            try it.bench.act("belt press pause")
            try it.belt.expectWrite("FE03", "00 00 00 00 00 00 01 00 00 00 00 01 01 00 00 00 00 00")
            _ = try it.silence(since: EventLoop.now, "after the pause")
        }
    }

    @Test(
        "A belt that rejects writes with an error obeys, and every stop is answered with ok",
        arguments: ["wait", "app"])
    func rejecting(_ mode: String) async throws {
        let it = try BeltBench(choices: "rejected_command: 0x80")
        for cause in [BeltBench.Cause.stop, .allStop] {
            for kind in [BeltBench.Kind.vibrate, .criticalWarning] {
                let time = try await it.measure(cause, kind, in: mode)
                #expect(time < .seconds(1))
            }
        }
    }
}
