import DeviceKit
import Haptics
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Patterns on a TAP")
struct TapHapticTests {
    /// Returns the durations of the written rhythms, in milliseconds.
    private func rhythms(_ lines: [String]) -> [[Int]] {
        lines.compactMap { line in
            guard let hex = line.split(separator: "c3ff0009 ").last, line.contains("c3ff0009") else {
                return nil
            }
            return TapHapticSequence(bytes(String(hex)))?.milliseconds ?? []
        }
    }

    private func rendering(_ events: [Event]) -> TapHapticRendering {
        TapHapticRendering(Timeline(Pattern(events)))
    }

    private func continuous(_ time: Double, _ duration: Double, _ intensity: Double) -> Event {
        Event(time: time, .continuous(duration: duration), intensity: intensity, sharpness: 0)
    }

    @Test("Full intensity is one long vibration; half intensity is on for half of the time")
    func dutyCycle() {
        #expect(rendering([continuous(0, 0.4, 1)]).cues.map(\.message.milliseconds) == [[400]])
        let half = rendering([continuous(0, 0.2, 0.5)]).cues.map(\.message.milliseconds)
        #expect(half == [[30, 20, 20, 30, 30, 20, 20]])
    }

    @Test("The mean of a duty cycle equals the intensity", arguments: 1...20)
    func mean(twentieths: Int) {
        let intensity = Double(twentieths) / 20
        let cues = rendering([continuous(0, 2, intensity)]).cues
        let on = cues.flatMap { cue in
            cue.message.milliseconds.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        }
        #expect(abs(Double(on.reduce(0, +)) - intensity * 2000) <= 10)
    }

    @Test("A long pattern is split into packets with at most 18 entries, each written on time")
    func splitting() {
        let cues = rendering([continuous(0.1, 3, 0.4)]).cues
        #expect(cues.count > 5 && cues.allSatisfy { $0.message.milliseconds.count <= 18 })
        for (cue, next) in zip(cues, cues.dropFirst()) {
            #expect(cue.time + cue.message.time < next.time, "a rhythm ends before the next one begins")
        }
        #expect(cues[0].time == .milliseconds(100))
    }

    @Test("A vibration that is too long for a packet continues without a gap")
    func long() {
        let cues = rendering([continuous(0, 6, 1)]).cues
        #expect(cues.map(\.time) == [.zero, .milliseconds(2500), .milliseconds(5000)])
        #expect(cues.map(\.message.milliseconds) == [[2550], [2550], [1000]])
    }

    @Test("A long pause is not part of a packet")
    func silence() {
        let cues = rendering([continuous(0, 0.1, 1), continuous(5, 0.1, 1)]).cues
        #expect(cues.map(\.time) == [.zero, .seconds(5)])
    }

    @Test(
        "A tap is felt next to a vibration if a pause separates them, because the motor has no levels",
        arguments: [(0.05, true), (0.06, true), (0.07, false)])
    func pause(start: Double, isReported: Bool) {
        let tap = Event(time: 0, .transient, intensity: 1, sharpness: 1)
        let vibration = continuous(start, 0.2, 0.8)
        #expect(rendering([tap, vibration]).degraded.contains(.timing) == isReported)
    }

    @Test(
        "The pause between two passes is felt, or the passes follow without a pause",
        arguments: [(0, false), (10, true), (20, false)])
    func passes(pause: Int, isReported: Bool) {
        let pattern = Pattern([continuous(Double(pause) / 1000, 0.1, 0.8), continuous(0.2, 0.1, 1)])
        let rendering = TapHapticRendering(Timeline(pattern, passes: 2))
        #expect(rendering.degraded.contains(.timing) == isReported)
    }

    @Test(
        "A weak or short vibration is played, and starts on time",
        arguments: [(0.1, 0.02), (0.004, 1), (1, 0.08)])
    func weak(duration: Double, intensity: Double) {
        #expect(rendering([continuous(0.1, duration, intensity)]).cues.first?.time == .milliseconds(100))
    }

    @Test("A pattern is written one rhythm at a time, and the answer lists what the TAP cannot play")
    func heavy() {
        var bench = TapBench.online()
        bench.command("haptic", "heavy")
        var lines = bench.take()
        #expect(lines.first == #"haptic = {"playing":"heavy"}"#)
        bench.acknowledge()
        #expect(bench.take() == [#"#1 ok {"degraded":["intensity","sharpness"]}"#])
        #expect(bench.answers[1] == [.ok(["degraded": ["intensity", "sharpness"]])])
        bench.advance(by: .seconds(2))
        lines += bench.take()
        #expect(lines.last == #"haptic = {"playing":null}"#)
        let times = rhythms(lines)
        let on = times.flatMap { rhythm in
            rhythm.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        }
        #expect(on.reduce(0, +) == 600, "a second with the mean intensity of 0.6")
    }

    @Test("A new pattern replaces the old one; stop and vibrate end it")
    func replacement() {
        var bench = TapBench.online()
        bench.command("haptic", "heavy")
        bench.command("haptic", #"{"pattern":"gradual","repeat":9}"#)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        _ = bench.take()
        bench.command("haptic", "stop")
        #expect(bench.take().suffix(2) == [#"haptic = {"playing":null}"#, "#3 ok"])
        bench.advance(by: .seconds(5))
        #expect(rhythms(bench.take()) == [])
        bench.command("haptic", "gradual")
        bench.command("vibrate", "[100]")
        _ = bench.take()
        bench.advance(by: .seconds(5))
        #expect(rhythms(bench.take()) == [])
    }

    @Test(
        "Every cause that stops vibrations ends a pattern",
        arguments: [StopCause.allStop, .brokerLost, .shutdown, .suspend])
    func stops(cause: StopCause) {
        var bench = TapBench.online()
        bench.command("haptic", #"{"pattern":"gradual","repeat":9}"#)
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        _ = bench.take()
        bench.feed(.stop(cause))
        #expect(Set(bench.take().map { $0.contains("c3ff0009") }) == [true, false])
        bench.advance(by: .seconds(5))
        #expect(rhythms(bench.take()) == [])
    }

    @Test("A pattern is refused if the TAP cannot vibrate")
    func notSupported() {
        var bench = TapBench.online(PlayedTap.Kind(hardware: "3.2.0", firmware: "1.0.0"))
        bench.command("haptic", "heavy")
        #expect(bench.refusal?.code == .notSupported)
        #expect(bench.operations.isEmpty)
    }

    @Test("A pattern ends with the link")
    func lostLink() {
        var bench = TapBench.online()
        bench.command("haptic", "heavy")
        _ = bench.take()
        bench.feed(.disconnected)
        #expect(Set(bench.take()) == ["#1 device_offline", #"haptic = {"playing":null}"#])
    }
}
