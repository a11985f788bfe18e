import Testing
import VirtualDevices

@Suite("Vibrations that the wearer of a belt feels")
struct FeelTests {
    /// A belt in app mode, without signals of its own.
    private func bench(heading: Int = 0) -> BeltBench {
        var bench = BeltBench { $0.heading = heading }
        _ = bench.write("FE05", "01810300")
        return bench
    }

    @Test(
        "Each angle is felt at the nearest of the 16 motors",
        arguments: [
            (0, 0), (11, 0), (12, 1), (78, 3), (79, 4), (90, 4), (101, 4), (102, 5), (180, 8), (270, 12),
            (348, 15), (349, 0), (359, 0),
        ])
    func nearestMotor(angle: Int, motor: Int) {
        var bench = bench()
        let bytes = [angle & 0xFF, angle >> 8].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(
            bench.write("FE03", "0101AAAA000002\(bytes)000000F40100000000") == [
                "written", "feel \(motor):50",
            ])
    }

    @Test("A bearing keeps its absolute direction during a full turn of the wearer")
    func followsBearing() {
        var bench = bench()
        #expect(
            bench.write("FE03", "0201AAAA0000035A00000000F40100000000") == ["written", "feel 4:50"])
        var felt: [String] = []
        for heading in [45, 90, 180, 270, 350, 0] {
            felt += bench.line("belt turn \(heading)").filter { $0.hasPrefix("feel") }
        }
        #expect(felt == ["feel 2:50", "feel 0:50", "feel 12:50", "feel 8:50", "feel 4:50"])
    }

    @Test("An angle turns with the wearer")
    func keepsAngle() {
        var bench = bench()
        #expect(bench.write("FE03", "0101640000000259000000" + "00F40100000000").last == "feel 4:100")
        #expect(bench.line("belt turn 90") == [])
    }

    @Test(
        "An index and a mask select motors, and an index out of range wraps around",
        arguments: [
            ("000150000000010500000000F40100000000", "feel 5:80"),
            ("000150000000011000000000F40100000000", "feel 0:80"),
            ("000132000000000111000000F40100000000", "feel 0:50 8:50 12:50"),
            ("00010000000000010100000000F401000000", ""),
        ])
    func targets(command: String, feeling: String) {
        var bench = bench()
        #expect(
            bench.write("FE03", command).filter { $0.hasPrefix("feel") } == (feeling.isEmpty ? [] : [feeling])
        )
    }

    @Test("A vibration ends after its iterations, and a continuous pattern has no gaps")
    func endsContinuous() {
        var bench = bench()
        _ = bench.write("FE03", "0001AAAA0000025A00000003F40100000000")
        #expect(bench.feelings(.seconds(10)) == ["1500 feel nothing"])
    }

    @Test("An iteration byte of zero or less repeats indefinitely", arguments: ["00", "FF", "80"])
    func repeats(iterations: String) {
        var bench = bench()
        _ = bench.write("FE03", "0003AAAA00000001000000\(iterations)E80300000000")
        #expect(
            bench.feelings(.milliseconds(2100)) == [
                "500 feel nothing", "1000 feel 0:50", "1500 feel nothing", "2000 feel 0:50",
            ])
    }

    @Test("The start time is the initial position in the pattern")
    func startsLater() {
        var bench = bench()
        _ = bench.write("FE03", "0003AAAA00000001000000" + "02" + "E803" + "2C01" + "0000")
        #expect(
            bench.feelings(.seconds(3)) == ["200 feel nothing", "700 feel 0:50", "1200 feel nothing"])
    }

    @Test("An exclusive channel silences other channels while it lasts")
    func excludes() {
        var bench = bench()
        _ = bench.write("FE03", "0201AAAA0000025A00000000F40100000000")
        #expect(
            bench.write("FE03", "0003AAAA00000011110000" + "01BC0200000100")
                == ["written", "feel 0:50 4:50 8:50 12:50"])
        #expect(bench.feelings(.seconds(1)) == ["500 feel nothing", "700 feel 4:50"])
    }

    @Test("Clearing other channels does not clear the new channel")
    func clears() {
        var bench = bench()
        _ = bench.write("FE03", "0201AAAA0000025A00000000F40100000000")
        #expect(bench.write("FE03", "0301AAAA000002B400000000F40100000001") == ["written", "feel 8:50"])
    }

    @Test("Channels are combined: the strongest wins on each motor, and at most six motors run")
    func mixes() {
        var bench = bench()
        _ = bench.write("FE03", "02011E0000000104000000" + "00F40100000000")
        #expect(bench.write("FE03", "03013C0000000104000000" + "00F40100000000") == ["written", "feel 4:60"])
        let feeling = bench.write("FE03", "0401140000000000FF000000F40100000000")
        #expect(feeling == ["written", "feel 4:60 8:20 9:20 10:20 11:20 12:20"])
    }

    @Test("The default intensity is the belt's current intensity")
    func usesDefaultIntensity() {
        var bench = bench()
        _ = bench.write("FE03", "0201AAAA0000025A00000000F40100000000")
        #expect(bench.write("FE05", "0182460000") == ["written", "FE06 010246", "feel 4:70"])
        let feedback = bench.write("FE05", "0182320001")
        #expect(feedback == ["written", "FE06 010232", "feel 0:50 4:50"])
    }

    @Test("Pulses come in series: three of 150 ms every 500 ms, once")
    func pulses() {
        var bench = bench()
        #expect(bench.write("FE03", "4000025A00AA96000301F401DC05000000") == ["written", "feel 4:50"])
        #expect(
            bench.feelings(.seconds(5)) == [
                "150 feel nothing", "500 feel 4:50", "650 feel nothing", "1000 feel 4:50",
                "1150 feel nothing",
            ])
    }

    @Test(
        "A pulse can keep the timer of the previous pulse",
        arguments: [
            ("00", "200 feel nothing"), ("01", "100 feel nothing"), ("02", "100 feel nothing"),
        ])
    func keepsTimer(option: String, first: String) {
        var bench = bench()
        let pulse = "4001025A0064C8000100E803E803"
        _ = bench.write("FE03", pulse + "000000")
        _ = bench.pass(.milliseconds(100))
        _ = bench.write("FE03", pulse + option + "0000")
        #expect(bench.feelings(.milliseconds(500)) == [first])
    }

    @Test("Compass mode shows north, and crossing mode shows the initial heading")
    func showsNorth() {
        var bench = bench(heading: 90)
        #expect(bench.line("belt press compass").contains("feel 12:50"))
        #expect(bench.line("belt turn 0") == ["feel 0:50"])
        _ = bench.line("belt turn 180")
        #expect(bench.line("belt press compass double").contains("feel 0:50"))
        #expect(bench.line("belt turn 270") == ["feel 12:50"])
    }

    @Test(
        "Leaving app mode ends its vibrations, as do power-off and the loss of the connection",
        arguments: [
            "belt press compass", "belt mode wait", "belt mode pause", "belt standby",
        ])
    func endsWithMode(line: String) {
        var bench = bench(heading: 180)
        _ = bench.write("FE03", "0201AAAA0000025A00000000F40100000000")
        let felt = bench.line(line).filter { $0.hasPrefix("feel") }
        #expect(felt == [line == "belt press compass" ? "feel 8:50" : "feel nothing"])
    }

    @Test("The loss of the connection ends vibrations")
    func endsWithLink() {
        var bench = bench()
        _ = bench.write("FE03", "0201AAAA0000025A00000000F40100000000")
        #expect(bench.handle(.disconnected).contains("feel nothing"))
    }

    @Test("The wait signal is one pulse without and two with a connection, and continuous in pairing mode")
    func givesSignsOfLife() {
        var bench = BeltBench(isConnected: false)
        #expect(bench.feelings(.milliseconds(10_050)) == ["10000 feel 0:50"])
        _ = bench.pass(.seconds(1))
        _ = bench.connect()
        #expect(
            bench.feelings(.milliseconds(10_000)) == [
                "8950 feel 0:50", "9050 feel nothing", "9150 feel 0:50", "9250 feel nothing",
            ])
        #expect(bench.line("belt press home long") == ["feel 0:50"])
        #expect(
            bench.feelings(.milliseconds(400)) == ["100 feel nothing", "250 feel 0:50", "350 feel nothing"])
    }

    @Test("An inaccurate compass is signaled on both sides, in app mode on channel 0, unless disabled")
    func warnsOfCompass() {
        var bench = bench()
        _ = bench.write("FE03", "000164000000010000000000F40100000000")
        _ = bench.line("belt compass inaccurate")
        #expect(
            bench.feelings(.seconds(2)) == [
                "500 feel 4:50 12:50", "650 feel nothing", "800 feel 4:50 12:50", "950 feel nothing",
                "1100 feel 4:50 12:50", "1250 feel nothing",
            ])
        _ = bench.write("FE05", "11030001")
        #expect(bench.feelings(.seconds(5)) == [])
        _ = bench.line("belt press compass")
        #expect(bench.feelings(.seconds(2)).first == "500 feel 0:50 4:50 12:50")
    }

    @Test("Every pattern up to 26 is felt and ends", arguments: UInt8(1)...26)
    func endsEveryPattern(pattern: UInt8) throws {
        var bench = bench()
        let number = (pattern < 16 ? "0" : "") + String(pattern, radix: 16)
        let felt = bench.write("FE03", "00\(number)64000000010500000001" + "B80B" + "00000000")
        #expect(felt.last?.hasPrefix("feel") == true)
        let last = try #require(bench.feelings(.seconds(4)).last)
        #expect(last.hasSuffix("feel nothing"))
    }
}
