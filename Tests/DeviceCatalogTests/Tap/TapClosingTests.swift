import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("A TAP becomes a keyboard again when the link is closed")
struct TapClosingTests {
    @Test("Text mode is written, then the link is closed")
    func text() {
        var bench = TapBench.online()
        bench.feed(.close)
        #expect(bench.takeCommands() == ["03 0C 00 00"])
        #expect(!bench.take().contains("disconnect"))
        bench.acknowledge()
        #expect(bench.take() == ["disconnect"])
    }

    @Test("A TapXR with a commanded state returns to user_control, 200 ms later")
    func xr() {
        var bench = TapBench.connected(.xr)
        bench.command("xr_state", "tapping")
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        _ = bench.takeCommands()
        bench.feed(.close)
        bench.acknowledge()
        let start = bench.now
        bench.advance(by: .seconds(1))
        #expect(bench.commands.map(\.hex) == ["03 0C 00 00", "03 0D 00 03"])
        #expect(bench.commands.last?.time == start + .milliseconds(200))
        #expect(bench.take().last == "disconnect")
    }

    @Test("Text mode waits for the pause after a command in progress, which is answered")
    func underWay() {
        var bench = TapBench.connected()
        _ = bench.takeCommands()
        bench.command("input_mode", "raw")
        bench.command("input_mode", "controller")
        bench.feed(.close)
        #expect(bench.answers.mapValues(\.count) == [1: 1, 2: 1])
        #expect(bench.takeCommands() == ["03 0C 00 0A 00 00 00"])
        bench.acknowledge()
        bench.advance(by: .milliseconds(199))
        #expect(bench.takeCommands() == [])
        bench.advance(by: .milliseconds(1))
        #expect(bench.takeCommands() == ["03 0C 00 00"])
        #expect(bench.take().last == "disconnect")
        #expect(bench.answers.mapValues(\.count) == [1: 1, 2: 1])
    }

    @Test("In text mode, or before a mode was set, nothing is written")
    func nothing() {
        var bench = TapBench.online(settings: ["default_input_mode": "text"])
        bench.feed(.close)
        #expect(bench.take() == ["disconnect"])
        bench = TapBench()
        bench.feed(.connected(TapBench.profile()))
        _ = bench.take()
        bench.feed(.close)
        #expect(bench.take() == ["disconnect"])
    }

    @Test("The link to a TAP that does not answer is closed within the time limit")
    func deaf() {
        var bench = TapBench.online()
        bench.feed(.close)
        bench.advance(by: .milliseconds(1299), isDeaf: true)
        #expect(!bench.take().contains("disconnect"))
        bench.advance(by: .milliseconds(1), isDeaf: true)
        #expect(bench.take() == ["disconnect"])
    }

    @Test("The will is text mode while another mode may be in effect")
    func will() {
        var bench = TapBench()
        #expect(bench.machine.will == .none)
        bench.begin()
        let text = [Write(TapGATT.command, [0x03, 0x0C, 0x00, 0x00])]
        #expect(bench.machine.will.writes == text)
        #expect(bench.machine.will.deadline == nil)
        bench.acknowledge()
        bench.command("input_mode", "text")
        bench.advance(by: .seconds(1))
        #expect(bench.machine.will == .none)
        bench.command("input_mode", "raw")
        bench.advance(by: .seconds(1))
        #expect(bench.machine.will.writes == text)
        bench.feed(.disconnected)
        #expect(bench.machine.will == .none)
    }

    @Test("A lost link answers every command once")
    func lost() {
        var bench = TapBench.connected()
        bench.command("input_mode", "raw")
        bench.command("input_mode", "text")
        bench.command("vibrate", "[100]")
        bench.command("device_name", "left")
        bench.feed(.disconnected)
        #expect(bench.answers.count == 4)
        for answers in bench.answers.values {
            #expect(answers.count == 1)
            guard case .failed(let error) = answers[0] else {
                Issue.record("answered \(answers)")
                continue
            }
            #expect(error.code == .deviceOffline)
        }
    }
}
