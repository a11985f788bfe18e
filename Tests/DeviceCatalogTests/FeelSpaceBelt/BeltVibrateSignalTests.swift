import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Library signals and battery levels for vibrate")
struct BeltVibrateSignalTests {
    /// In app mode. The bytes are those of FSLib-Android and FSLib-iOS for the signal on channel 1.
    private static let rows: [(String, String)] = [
        (
            #"{"signal":"approaching_destination","direction":45,"reference":"magnetic"}"#,
            "FE03 01 02 AA AA 00 00 03 2D 00 00 00 00 F4 01 00 00 00 00"
        ),
        (
            #"{"signal":"ongoing_turn","direction":45,"reference":"magnetic","channel":2}"#,
            "FE03 02 03 AA AA 00 00 03 2D 00 00 00 00 EE 02 00 00 00 00"
        ),
        (
            #"{"signal":"next_waypoint_long","motor":4,"intensity":60,"clear_others":true}"#,
            "FE03 01 03 3C 00 00 00 01 04 00 00 00 00 B8 0B 00 00 00 01"
        ),
        (
            #"{"signal":"direction","motors":[0,8],"channel":0}"#,
            "FE03 00 01 AA AA 00 00 00 01 01 00 00 01 E8 03 00 00 00 00"
        ),
        (
            #"{"signal":"destination_reached"}"#,
            "FE03 01 09 AA AA 00 00 01 00 00 00 00 00 88 13 00 00 00 00"
        ),
        (
            #"{"signal":"critical_warning","channel":0}"#,
            "FE03 00 03 AA AA 00 00 00 11 11 00 00 03 BC 02 00 00 01 00"
        ),
        (
            #"{"signal":"operation_warning","channel":0}"#,
            "FE03 00 06 19 00 00 00 01 00 00 00 00 02 F4 01 00 00 01 00"
        ),
        (#"{"signal":"navigating","direction":0,"channel":3,"intensity":0}"#, "FE03 30 03"),
        (
            #"{"pattern":"battery_level_3","channel":0,"iterations":1,"period_ms":2000}"#,
            "FE03 00 0E AA AA 00 00 01 00 00 00 00 01 D0 07 00 00 00 00"
        ),
        (#"{"pattern":"battery_level_0"}"#, "FE03 01 0B AA AA 00 00 01 00 00 00 00 00 F4 01 00 00 00 00"),
        (#"{"pattern":"battery_level_13"}"#, "FE03 01 18 AA AA 00 00 01 00 00 00 00 00 F4 01 00 00 00 00"),
        // FSLib-Android sends the same number for the two highest levels.
        (#"{"pattern":"battery_level_15"}"#, "FE03 01 18 AA AA 00 00 01 00 00 00 00 00 F4 01 00 00 00 00"),
    ]

    @Test("A signal or a battery level is written as its packet", arguments: rows)
    func packets(_ payload: String, _ packet: String) {
        var bench = BeltBench.connected(mode: .app)
        bench.notify(mode: .wait)
        bench.command("mode", "app")
        bench.notify(mode: .app)
        bench.acknowledge()
        _ = bench.take()
        bench.command("vibrate", payload)
        #expect(bench.takeWrites() == [packet])
    }

    @Test("Every signal of a channel and every battery level is accepted")
    func all() {
        var bench = BeltBench.connected()
        let signals = BeltSignal.ofChannels.map { signal in
            #""signal":"\#(signal.name)""# + (signal.isDirectional ? #","direction":90"# : "")
        }
        let levels = (0...15).map { #""pattern":"battery_level_\#($0)""# }
        #expect(signals.count == 12)
        for words in signals + levels {
            let id = bench.command("vibrate", #"{\#(words),"enter_app_mode":true}"#)
            bench.acknowledge()
            bench.notify(mode: .app)
            bench.acknowledge()
            #expect(bench.answers[id] == [.ok], "\(words)")
        }
    }

    @Test(
        "A signal accepts no pattern, period or iterations, and requires a place only if it has a direction",
        arguments: [
            (#"{"signal":"navigating"}"#, "direction"),
            (#"{"signal":"critical_warning","direction":90}"#, "direction: not allowed with signal"),
            (#"{"signal":"navigating","direction":1,"pattern":"continuous"}"#, "pattern"),
            (#"{"signal":"navigating","direction":1,"period_ms":500}"#, "period_ms"),
            (#"{"signal":"navigating","direction":1,"iterations":2}"#, "iterations"),
            (#"{"signal":"battery","direction":1}"#, "one of"),
            (#"{"pattern":"battery_level_16"}"#, "battery_level_15"),
            (#"{"pattern":"battery_level_3","motors":[1]}"#, "motors: not allowed with pattern"),
        ])
    func refused(_ payload: String, _ words: String) throws {
        var bench = BeltBench.online(mode: .app)
        bench.command("vibrate", payload)
        #expect(bench.takeWrites() == [])
        guard case .failed(let error)? = bench.answers[1]?.first else {
            Issue.record("\(payload) is taken")
            return
        }
        #expect(error.message.contains(words), "\(error)")
    }

    @Test("Outside app mode, a signal follows the rule of vibrate")
    func rule() {
        var bench = BeltBench.online()
        bench.command("vibrate", #"{"signal":"navigating","direction":90}"#)
        bench.command("vibrate", #"{"signal":"critical_warning","channel":0}"#)
        #expect(bench.take().map { $0.prefix(13) } == ["#1 wrong_mode", "> FE03 00 03 "])
    }
}
