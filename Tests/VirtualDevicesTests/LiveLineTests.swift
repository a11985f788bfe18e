import Testing

@testable import VirtualDevices

@Suite("Live lines")
struct LiveLineTests {
    static let devices = [
        (name: "hips", kind: "belt"), (name: "tap/left", kind: "tap"), (name: "b2", kind: "belt"),
    ]

    static let table: [(line: String, device: String, action: LiveLine.Action)] = [
        ("hips press home", "hips", .act(["press", "home"])),
        ("belt press home long", "hips", .act(["press", "home", "long"])),
        ("  b2   turn 90 ", "b2", .act(["turn", "90"])),
        ("drop belt", "hips", .drop),
        ("mute tap/left", "tap/left", .mute(true)),
        ("unmute tap", "tap/left", .mute(false)),
        ("garbage belt 100", "hips", .garbage(100)),
        ("garbage b2", "b2", .garbage(100)),
        ("hips garbage 7", "hips", .garbage(7)),
        ("hips drop", "hips", .drop),
        ("move belt A -50", "hips", .move([.init(host: "A", reach: .heard(-50))])),
        (
            "b2 move hall-1 -127 B off", "b2",
            .move([.init(host: "hall-1", reach: .heard(-127)), .init(host: "B", reach: .out)])
        ),
    ]

    @Test("A line contains a device and an action", arguments: table)
    func reads(line: String, device: String, action: LiveLine.Action) throws {
        let read = try #require(try LiveLine(line, devices: Self.devices))
        #expect(read.device == device)
        #expect(read.action == action)
    }

    @Test("Blank lines and comments are ignored", arguments: ["", "   ", "# later"])
    func ignores(line: String) throws {
        #expect(try LiveLine(line, devices: Self.devices) == nil)
    }

    @Test(
        "An invalid line is answered with the allowed lines",
        arguments: [
            ("robot spin", "no device named 'robot'; there are: hips, tap/left, b2"),
            ("hips", "'hips' needs an action"),
            ("drop", "no device named 'drop'"),
            ("garbage belt many", "expected 'drop belt'"),
            ("mute belt now", "'unmute belt'"),
            ("move belt", "'move belt HOST REACH ...' with a reach in dBm from -127 to 20, or off"),
            ("move belt A", "'move belt HOST REACH"), ("move belt A -50 B", "'move belt HOST REACH"),
            ("move belt A 21", "'move belt HOST REACH"), ("belt move A far", "'move belt HOST REACH"),
        ])
    func complains(line: String, part: String) {
        #expect {
            _ = try LiveLine(line, devices: Self.devices)
        } throws: { error in
            (error as? LiveLine.Misunderstood)?.message.contains(part) == true
        }
    }

    @Test(
        "An action that a belt does not support is answered with the supported actions",
        arguments: [
            "belt press knob", "belt press home twice", "belt battery 101", "belt battery", "belt turn 360",
            "belt turn up 5", "belt mode 3", "belt dance", "belt error xyz", "belt standby now",
        ])
    func complainsAboutActs(line: String) {
        var bench = BeltBench()
        let answers = bench.line(line)
        #expect(answers.count == 1)
        #expect(answers.first?.hasPrefix("error '") == true)
        #expect(answers.first?.contains("press power|pause|compass|home [long|double]") == true)
    }

    @Test("The debug output sends errors, debug text and self-tests")
    func debugs() {
        var bench = BeltBench()
        #expect(bench.line("belt error 12345678") == ["FE14 a078563412"])
        #expect(bench.line("belt debug hi") == ["FE14 0168690a"])
        #expect(
            bench.write("FE13", "0B") == [
                "written", "FE14 0b0100017856341278563412", "FE14 0c7856341200000000010000",
            ])
        #expect(bench.write("FE13", "0203") == ["written", "FE14 020103"])
        #expect(bench.pass(.seconds(1)).map(\.what).contains("FE14 02000000"))
    }

    @Test("The raw sensor stream runs from its command until the last client unsubscribes")
    func streamsRawData() {
        var bench = BeltBench()
        #expect(bench.write("FE0A", "0101") == ["written"])
        let packets = bench.pass(.milliseconds(110)).map(\.what).filter { $0.hasPrefix("FE0B") }
        #expect(
            packets == [
                "FE0B 01000100000000e80302000000000000", "FE0B 01010100000000e80302000000000000",
            ])
        _ = bench.handle(.subscribed(bench.id("FE0B"), false))
        _ = bench.handle(.subscribed(bench.id("FE0B"), true))
        #expect(!bench.pass(.seconds(1)).contains { $0.what.hasPrefix("FE0B") })
    }
}
