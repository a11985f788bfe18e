import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("A TAP with the framed protocol")
struct TapFramedTests {
    private func online(_ settings: Arguments = [:]) -> TapBench {
        var bench = TapBench(settings)
        bench.connectFramed()
        _ = bench.take()
        return bench
    }

    @Test("The TAP is recognized by its characteristics, subscribed, kept alive, and its functions are set")
    func order() {
        var bench = TapBench()
        bench.begin(.xr, profile: TapBench.framedProfile)
        let lines = bench.take()
        #expect(lines.filter { $0.hasPrefix("subscribe") } == ["subscribe c3ff000e", "subscribe 2A19"])
        #expect(
            lines.suffix(4) == [
                "ready", #"haptic = {"playing":null}"#, "> c3ff000f 02 00 00 00",
                "> c3ff000f 00 00 00 00 00 00",
            ])
        bench.answerFrames()
        let rest = bench.take()
        #expect(
            rest.filter { $0.hasPrefix(">") } == [
                "> c3ff000f 00 00 00 00 01 01", "> c3ff000f 00 00 00 00 02 01",
                "> c3ff000f 00 00 00 00 03 00",
                "> c3ff000f 00 00 00 00 04 00", "> c3ff000f 01 00 01 00 00", "> c3ff000f 01 00 00 00 00",
                "> c3ff000f 00 01 00 00 00", "> c3ff000f 00 01 00 00 01", "> c3ff000f 00 01 00 00 02",
                "> c3ff000f 00 01 00 00 03", "> c3ff000f 00 01 00 00 04", "> c3ff000f 01 00 0B 00",
                "> c3ff000f 01 00 0A 00", "> c3ff000f 01 01 0C 00", "> c3ff000f 03 03 00 00",
            ])
        let sensing =
            #"sensing = {"detection":true,"motion":true,"raw":false,"triggers":false,"standby_gesture":false,"#
            + #""vision_mode":"trigger","vision_model":"tapping"}"#
        #expect(
            rest.filter { !$0.hasPrefix(">") } == [
                sensing, #"sensitivity = {"gyro":3,"accelerometer":2}"#, "standby = false",
            ])
    }

    @Test(
        "The default input mode determines the initial functions",
        arguments: [("text", "000"), ("controller", "011"), ("controller_full_hid", "011"), ("raw", "100")])
    func defaults(_ mode: String, _ switches: String) {
        var bench = TapBench(["default_input_mode": .string(mode)])
        bench.connectFramed()
        let wanted = switches.enumerated().map { "> c3ff000f 00 00 00 00 0\($0.offset) 0\($0.element)" }
        #expect(bench.take().filter { $0.hasPrefix("> c3ff000f 00 00") }.prefix(3) == wanted[...])
    }

    @Test("Both characteristics are required, and the classic ones are allowed in addition")
    func detection() {
        var bench = TapBench()
        var profile = TapBench.profile()
        profile.characteristics[TapGATT.frames] = .notify
        bench.connect(profile: profile)
        #expect(bench.take().contains("subscribe c3ff0005"))
        profile.characteristics[TapGATT.frameCommand] = .write
        bench = TapBench()
        bench.begin(.xr, profile: profile)
        let lines = bench.take()
        #expect(lines.contains("subscribe c3ff000e") && !lines.contains("subscribe c3ff0005"))
        bench = TapBench()
        var none = TapBench.framedProfile
        none.characteristics[TapGATT.frameCommand] = nil
        bench.feed(.connected(none))
        #expect(bench.take() == ["fail notThisFamily"])
    }

    @Test("A keep-alive is written every ten seconds")
    func keepAlive() {
        var bench = online()
        bench.advance(by: .seconds(30))
        #expect(bench.take() == [String](repeating: "> c3ff000f 02 00 00 00", count: 3))
    }

    @Test("A command is written, its result is requested from the TAP, and the answer follows")
    func command() {
        var bench = online()
        bench.command("sensing", #"{"motion":false,"vision_model":"tapping"}"#)
        bench.answerFrames()
        let lines = bench.take()
        #expect(
            lines.filter { $0.hasPrefix(">") } == [
                "> c3ff000f 00 00 00 00 02 00", "> c3ff000f 01 00 01 00 00", "> c3ff000f 00 01 00 00 02",
                "> c3ff000f 01 00 0B 00",
            ])
        #expect(lines.last == "#1 ok")
        #expect(lines.contains { $0.hasPrefix(#"sensing = {"detection":true,"motion":false,"#) })
    }

    @Test("If the TAP reports another state than requested, the command fails")
    func contradiction() {
        var bench = online()
        bench.command("sensing", #"{"vision_model":"air_gesture"}"#)
        bench.answerFrames()
        #expect(bench.refusal?.code == .deviceError)
        #expect(bench.refusal?.message == "the TAP accepted the command but reports vision_model tapping")
        bench.command("standby", "true")
        bench.answerFrames()
        #expect(bench.refusal?.message == "the TAP accepted the command but reports standby false")
    }

    @Test("Without an answer within two seconds, the command times out, and the next one is written")
    func silence() {
        var bench = online()
        bench.command("standby", "true")
        bench.command("sensing", #"{"raw":true}"#)
        bench.acknowledge()
        bench.advance(by: .milliseconds(1999))
        #expect(bench.answers.isEmpty)
        bench.advance(by: .milliseconds(1))
        #expect(bench.answers[1]?.count == 1)
        #expect(bench.take().contains("> c3ff000f 00 00 00 00 00 01"))
        bench.advance(by: .seconds(2))
        #expect(bench.refusal?.code == .timeout)
    }

    @Test("A failed write ends its command, and the rest of the command is not written")
    func failure() {
        var bench = online()
        bench.command("sensing", #"{"raw":true,"motion":false}"#)
        bench.complete(OperationError(.failed, "for the test"))
        #expect(bench.refusal?.code == .deviceError)
        #expect(bench.operations.isEmpty)
    }

    @Test("Omitted ranges stay, and values measured during the change are dropped")
    func ranges() {
        var bench = online(["default_input_mode": "raw"])
        let frame = "00 01 00 00 32 00 00 00 0A 00 00 00 00 00 0A 00 00 00 00 00"
        bench.notify(TapGATT.frames, frame)
        #expect(bench.take().first?.contains(#""gyro":{"x":175,"#) == true)
        bench.command("sensitivity", #"{"gyro":5}"#)
        bench.notify(TapGATT.frames, frame)
        #expect(bench.take() == ["> c3ff000f 01 01 02 00 05 02"])
        bench.answerFrames()
        #expect(bench.take().suffix(2) == [#"standby = false"#, "#1 ok"])
        bench.notify(TapGATT.frames, frame)
        #expect(bench.take().first?.contains(#""gyro":{"x":700,"#) == true)
        bench.command("sensitivity", #"{"fingers":1}"#)
        #expect(bench.refusal?.code == .notSupported)
    }

    @Test("Commanded states are kept over a lost link")
    func reconnect() {
        var bench = online()
        bench.command("sensing", #"{"raw":true,"detection":false}"#)
        bench.answerFrames()
        bench.command("sensitivity", #"{"gyro":5,"accelerometer":4}"#)
        bench.answerFrames()
        bench.feed(.disconnected)
        _ = bench.take()
        bench.connectFramed()
        let lines = bench.take()
        #expect(
            lines.contains("> c3ff000f 00 00 00 00 00 01") && lines.contains("> c3ff000f 00 00 00 00 01 00"))
        #expect(lines.contains("> c3ff000f 01 01 02 00 05 04"))
    }

    @Test(
        "A command that only the other protocol has is refused, and the refusal names the replacement",
        arguments: [("input_mode", "text", "sensing"), ("xr_state", "tapping", "sensing")])
    func otherProtocol(_ feature: String, _ payload: String, _ instead: String) {
        var bench = online()
        bench.command(feature, payload)
        #expect(bench.refusal?.code == .notSupported)
        #expect(bench.refusal?.message.contains(instead) == true)
        bench = TapBench()
        bench.connect(.xr)
        for (feature, payload) in [("sensing", #"{"raw":true}"#), ("standby", "true")] {
            bench.command(feature, payload)
            #expect(bench.refusal?.code == .notSupported)
            #expect(bench.refusal?.message.contains("input_mode") == true)
        }
    }

    @Test("Vibrations and patterns are written as frames, whatever the versions are")
    func haptics() {
        var bench = TapBench()
        bench.begin(PlayedTap.Kind(hardware: "4.4", firmware: "1.0.0"), profile: TapBench.framedProfile)
        bench.answerFrames()
        _ = bench.take()
        let zeros = String(repeating: " 00", count: 14)
        bench.command("vibrate", "[500,200,500,200]")
        #expect(bench.take() == ["> c3ff000f 01 02 03 00 00 02 32 14 32 14" + zeros])
        bench.acknowledge()
        bench.feed(.stop(.allStop))
        #expect(bench.take().last == "> c3ff000f 01 02 03 00 00 02" + zeros + " 00 00 00 00 ahead")
        bench.command("haptic", "heavy")
        #expect(bench.take().contains { $0.hasPrefix("> c3ff000f 01 02 03 00 00 02") })
    }

    @Test("All functions that are on are switched off before the link is closed")
    func closing() {
        var bench = online()
        bench.feed(.close)
        #expect(bench.take() == ["> c3ff000f 00 00 00 00 01 00"])
        bench.complete()
        #expect(bench.take() == ["> c3ff000f 00 00 00 00 02 00"])
        bench.complete()
        #expect(bench.take() == ["disconnect"])
    }

    @Test("The will switches off the functions that may be on")
    func will() {
        var bench = online()
        #expect(
            bench.machine.will.writes == [
                Write(TapGATT.frameCommand, [0, 0, 0, 0, 1, 0]),
                Write(TapGATT.frameCommand, [0, 0, 0, 0, 2, 0]),
            ])
        bench.command("sensing", #"{"motion":false,"detection":false}"#)
        bench.answerFrames()
        #expect(bench.machine.will == .none)
        bench.command("sensing", #"{"raw":true}"#)
        #expect(bench.machine.will.writes == [Write(TapGATT.frameCommand, [0, 0, 0, 0, 0, 0])])
        bench.feed(.disconnected)
        #expect(bench.machine.will == .none)
        #expect(bench.answers[2]?.count == 1)
    }

    @Test("With publish_taps off, taps of the framed protocol stay private")
    func privacy() {
        var bench = online(["publish_taps": false])
        bench.notify(TapGATT.frames, "01 02 00 00 05")
        bench.notify(TapGATT.frames, "01 03 00 00 65")
        #expect(bench.take() == [#"air_gesture = {"gesture":"left","code":101}"#])
    }
}
