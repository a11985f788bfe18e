import Testing
import VirtualDevices

@Suite("Vibrations that a belt accepts")
struct AcceptanceTests {
    /// The mode command, the vibration command, and whether the vibration is felt immediately.
    static let table: [(mode: String, command: String, isFelt: Bool)] = [
        ("01810300", "0201AAAA0000035A00000000F40100000000", true),
        ("01810300", "0001AAAA0000035A00000001B80B00000001", true),
        ("01810100", "0001AAAA0000035A00000001E80300000000", true),
        ("01810400", "0001AAAA0000035A00000001E80300000000", true),
        // Rejected: not channel 0; not limited (00, FF, 80h); clears other channels.
        ("01810100", "0101AAAA0000035A00000001E80300000000", false),
        ("01810100", "0001AAAA0000035A00000000E80300000000", false),
        ("01810100", "0001AAAA0000035A000000FFE80300000000", false),
        ("01810100", "0001AAAA0000035A00000080E80300000000", false),
        ("01810100", "0001AAAA0000035A00000001B80B00000001", false),
        // Pulses follow the same rule.
        ("01810100", "4000025A00AA96000301F401DC05000000", true),
        ("01810100", "4000025A00AA96000300F401DC05000000", false),
        ("01810100", "4001025A00AA96000301F401DC05000000", false),
        ("01810100", "4000025A00AA96000301F401DC05000001", false),
        ("01810300", "4005025A00AA96000300F401DC05000001", true),
        // System signals are accepted in every mode.
        ("01810100", "2000", true), ("01810200", "2001", true), ("01810300", "2002", true),
        // Unknown patterns.
        ("01810300", "0601AAAA0000035A00000000F40100000000", false),
        ("01810300", "021BAAAA0000035A00000000F40100000000", false),
        ("01810300", "0201650000000035A00000000F4010000000", false),
        ("01810300", "0201AAAA0000045A00000000F40100000000", false),
        ("01810300", "0201AAAA0000035A00000000F401000000", false),
        ("01810300", "2003", false), ("01810300", "50", false), ("01810300", "", false),
        ("01810300", "4000025A00AA96000301F401DC05030000", false),
    ]

    @Test("A vibration is either felt or ignored", arguments: table)
    func isFelt(mode: String, command: String, isFelt: Bool) {
        var bench = BeltBench()
        _ = bench.write("FE05", mode)
        let happened = bench.write("FE03", command)
        #expect(happened.first == "written")
        #expect(happened.contains("rejected") == !isFelt)
        #expect(happened.contains { $0.hasPrefix("feel") } == isFelt)
    }

    @Test("A belt can answer rejected commands with an error")
    func refuses() {
        var bench = BeltBench { $0.rejection = .error(0x80) }
        #expect(bench.write("FE03", "50") == ["refused 128", "rejected"])
    }

    @Test("A stop takes effect in app mode only")
    func stops() {
        var bench = BeltBench()
        _ = bench.write("FE03", "0001AAAA0000035A00000001E80300000000")
        #expect(bench.write("FE03", "30FF") == ["written", "rejected"])
        _ = bench.write("FE05", "01810300")
        #expect(bench.write("FE03", "3001") == ["written"])
        #expect(bench.write("FE03", "300000") == ["written", "feel nothing"])
    }

    @Test(
        "Firmware without a command rejects the command",
        arguments: [
            ("2C0000", "FE03", "4000025A00AA96000301F401DC05000000"), ("2C0000", "FE07", "01013005"),
            ("2A0000", "FE05", "12010000"), ("330000", "FE05", "110F006400"), ("340000", "FE05", "10010A"),
        ])
    func lacks(firmware: String, characteristic: String, command: String) {
        var choices = VirtualBelt.Choices()
        choices.firmware = stride(from: 0, to: 6, by: 2).compactMap { offset in
            UInt8(firmware.dropFirst(offset).prefix(2), radix: 16)
        }
        var bench = BeltBench(choices)
        #expect(bench.write(characteristic, command) == ["written", "rejected"])
    }

    @Test("Firmware 4 variant 4 has the front range that a library changes")
    func patches() {
        var bench = BeltBench { $0.firmware = [4, 0, 4] }
        #expect(bench.write("FE05", "10010A") == ["written", "FE06 100ae100a0002c0101"])
        #expect(bench.write("FE05", "110A02E100A000E10001") == ["written", "FE06 100ae100a000e10001"])
    }
}
