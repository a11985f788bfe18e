import Testing
import VirtualDevices

@Suite("The buttons of a belt")
struct ButtonTests {
    /// The preceding actions, the press, and the client's notifications.
    static let table: [(before: [String], press: String, notified: [String])] = [
        (["mode wait"], "power long", ["FE04 0103000100"]),
        (["mode app"], "power long", ["FE04 0103000300"]),
        (["mode pause"], "power long", ["FE04 0103000400"]),
        (["mode wait"], "power", ["FE04 0101000101"]),
        (["mode app"], "power", ["FE04 0101000303"]),
        (["mode wait"], "pause", ["FE04 0201000104"]),
        (["mode compass"], "pause", ["FE04 0201000204"]),
        (["mode crossing"], "pause", ["FE04 0201000604"]),
        (["mode wait", "press pause"], "pause", ["FE04 0201000401"]),
        (["mode compass", "press pause"], "pause", ["FE04 0201000402"]),
        (["mode app"], "pause", ["FE04 0201000303"]),
        (["mode app", "mode pause"], "pause", ["FE04 0201000404"]),
        (["mode calibration"], "pause", ["FE04 0201000505"]),
        (["mode wait"], "compass", ["FE04 0301000102"]),
        (["mode app"], "compass", ["FE04 0301000302"]),
        (["mode wait"], "compass double", ["FE04 0302000106"]),
        (["mode app"], "compass double", ["FE04 0302000306"]),
        (["mode wait"], "compass long", ["FE04 0303000105"]),
        (["mode pause"], "compass", ["FE06 010228"]),
        (["mode wait"], "home", ["FE04 0401000101"]),
        (["mode compass"], "home", ["FE04 0401000202"]),
        (["mode crossing"], "home", ["FE04 0401000606"]),
        (["mode app"], "home", ["FE04 0401000303"]),
        (["mode pause"], "home", ["FE06 01023c"]),
        (["mode calibration"], "home", ["FE04 0401000501"]),
        (["mode wait"], "home long", []),
        (["standby"], "home", []), (["standby"], "pause", []), (["standby"], "power", []),
    ]

    @Test("A press causes the notifications of the table", arguments: table)
    func notifies(before: [String], press: String, notified: [String]) {
        var bench = BeltBench()
        for act in before { _ = bench.line("belt \(act)") }
        #expect(bench.line("belt press \(press)").air == notified)
    }

    @Test("Old firmware has no crossing mode")
    func hasNoCrossing() {
        var bench = BeltBench { $0.firmware = [44, 0, 0] }
        #expect(bench.line("belt press compass double").air == ["FE04 0302000102"])
        #expect(bench.write("FE05", "018106") == ["written", "rejected", "FE06 010102"])
    }

    @Test("A belt can send a button's mode as a parameter, and other press codes")
    func repeatsMode() {
        var choices = VirtualBelt.Choices()
        choices.repeatsModeOfButton = true
        choices.notifiesPowerPress = false
        choices.notifiesCompassInPause = true
        choices.pressCodes = [0, 1, 9]
        choices.buttonByte = 7
        var bench = BeltBench(choices)
        #expect(bench.line("belt press pause").air == ["FE04 0200070104", "FE06 010104"])
        #expect(bench.line("belt press compass").air == ["FE06 010228", "FE04 0300070404"])
        #expect(bench.line("belt press power").air == [])
        #expect(bench.line("belt press power long").air == ["FE04 0109070400", "FE06 010100"])
    }

    @Test("A calibration ends automatically and is announced")
    func calibrates() {
        var bench = BeltBench()
        _ = bench.write("FE05", "018105")
        let happened = bench.pass(.seconds(21)).filter { $0.what.hasPrefix("FE06") }
        #expect(happened.map(\.what) == ["FE06 010101"])
        #expect(happened.map(\.at) == [.seconds(20)])
    }

    @Test("Power-off discards temporary values and keeps stored values")
    func stores() {
        var bench = BeltBench()
        _ = bench.write("FE05", "11030000")
        _ = bench.write("FE05", "1101012C01")
        _ = bench.line("belt press power long")
        _ = bench.pass(.seconds(1))
        _ = bench.handle(.disconnected)
        _ = bench.line("belt press power long")
        _ = bench.connect()
        #expect(bench.write("FE05", "100103") == ["written", "FE06 100303"])
        #expect(bench.write("FE05", "100101") == ["written", "FE06 10012c01"])
    }

    @Test("Renaming and a radio reset end the connection, and a reset restores factory values")
    func renamesAndResets() {
        var bench = BeltBench()
        _ = bench.write("FE05", "01842D74657374")
        #expect(bench.pass(.milliseconds(200)).map(\.what) == ["disconnect"])
        #expect(bench.world.peripherals[0].advertisement.name == "naviGuertel-test")
        _ = bench.handle(.disconnected)
        _ = bench.connect()
        _ = bench.write("FE05", "0182460000")
        #expect(bench.write("FE05", "12010000").air == ["written", "FE06 010232"])
        #expect(bench.write("FE05", "12010000").air == ["written"])
        #expect(bench.write("FE05", "12000100").air == ["written"])
        #expect(bench.pass(.milliseconds(200)).map(\.what) == ["disconnect"])
        #expect(bench.world.peripherals[0].advertisement.name == "naviGuertel-sim")
    }
}
