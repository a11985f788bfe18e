import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("The capabilities of TAP versions")
struct TapVersionTests {
    @Test(
        "Versions are parsed",
        arguments: [
            ("3.2", 30_200), ("4.4", 40_400), ("3.5.24", 30_524), ("2.3.25", 20_325), ("3.2.x", 30_200),
            ("0.1.2", 102), ("99.99.99", 999_999), ("3", nil), ("", nil), ("3.", nil), ("a.b", nil),
            ("3.100", nil), ("-3.2", nil), ("3.2.", 30_200), ("3.2.1.4", 30_201),
        ] as [(String, Int?)])
    func texts(_ text: String, _ number: Int?) {
        #expect(TapVersion(text)?.number == number)
    }

    @Test("A build of 0 is omitted from the text")
    func words() {
        #expect(TapVersion(30_200).description == "3.2")
        #expect(TapVersion(30_524).description == "3.5.24")
        #expect(TapVersion(40_000).description == "4.0")
    }

    /// A row of the protocol's table of features: hardware, firmware, and whether the command is accepted.
    struct Row: Sendable, CustomTestStringConvertible {
        var command: String
        var hardware: String?
        var firmware: String?
        var isTaken: Bool
        var testDescription: String {
            "\(command) on \(hardware ?? "?"), \(firmware ?? "?"): \(isTaken ? "taken" : "refused")"
        }

        init(_ command: String, _ hardware: String?, _ firmware: String?, _ isTaken: Bool) {
            (self.command, self.isTaken) = (command, isTaken)
            (self.hardware, self.firmware) = (hardware, firmware)
        }
    }

    @Test(
        "Hardware and firmware determine the accepted commands",
        arguments: [
            Row("input_mode text", "3.2", "1.0.0", true), Row("input_mode text", "3.2", "0.9.99", false),
            Row("input_mode controller", "3.1.99", "2.5.0", false),
            Row("input_mode raw", "3.2", "2.3.25", true), Row("input_mode raw", "3.2", "2.3.24", false),
            Row("input_mode raw", "4.4", "3.0.0", true),
            Row("input_mode controller_mouse_hid", "3.3", "2.3.3", true),
            Row("input_mode controller_mouse_hid", "3.3", "2.3.2", false),
            Row("input_mode controller_mouse_hid", "4.0", "3.5.0", false),
            Row("input_mode controller_full_hid", "3.3", "2.4.5", true),
            Row("input_mode controller_full_hid", "3.3", "2.4.4", false),
            Row("input_mode controller_full_hid", "4.0", "3.5.0", true),
            Row("vibrate [100]", "3.2", "2.3.25", true), Row("vibrate [100]", "3.2", "2.3.24", false),
            Row("xr_state tapping", "4.0", "3.4.9", true), Row("xr_state tapping", "4.0", "3.4.8", false),
            Row("xr_state tapping", "3.99.99", "3.5.0", false),
            // An unknown version counts as sufficient.
            Row("input_mode raw", nil, nil, true), Row("vibrate [100]", "3.3", nil, true),
            Row("vibrate [100]", nil, "2.3.24", false),
        ])
    func gates(_ row: Row) {
        var bench = TapBench.connected(PlayedTap.Kind(hardware: row.hardware, firmware: row.firmware))
        let words = row.command.split(separator: " ")
        bench.command(String(words[0]), String(words[1]))
        bench.acknowledge()
        bench.advance(by: .seconds(2))
        #expect((bench.refusal == nil) == row.isTaken)
        guard !row.isTaken else { return }
        #expect(bench.refusal?.code == .notSupported)
    }

    @Test("A refusal names the required and the current versions")
    func message() {
        var bench = TapBench.connected(PlayedTap.Kind(hardware: "3.2", firmware: "2.3.24"))
        bench.command("input_mode", "raw")
        #expect(
            bench.refusal?.message
                == "input mode raw needs hardware 3.2 or newer, and firmware 2.3.25 or newer; this Tap Strap has "
                + "hardware 3.2 and firmware 2.3.24")
        bench.command("xr_state", "tapping")
        #expect(
            bench.refusal?.message
                == "xr_state needs hardware 4.0 or newer, and firmware 3.4.9 or newer; this Tap Strap has "
                + "hardware 3.2 and firmware 2.3.24")
        bench.connect(.xr)
        bench.command("input_mode", "controller_mouse_hid")
        #expect(bench.refusal?.message.contains("older than 4.0, and firmware 2.3.3") == true)
    }

    @Test("A TAP with unknown hardware is a TapXR if it has a vision model")
    func unknownHardware() {
        var bench = TapBench()
        bench.connect(
            PlayedTap.Kind(), profile: TapBench.profile(without: [TapGATT.hardware, TapGATT.firmware]))
        #expect(bench.info.model == "TapXR")
        bench.command("xr_state", "tapping")
        bench.acknowledge()
        bench.advance(by: .seconds(1))
        #expect(bench.refusal == nil)
        var other = TapBench()
        other.connect(
            PlayedTap.Kind(),
            profile: TapBench.profile(without: [TapGATT.hardware, TapGATT.firmware, TapGATT.visionModel]))
        #expect(other.info.model == nil)
        other.command("xr_state", "tapping")
        #expect(
            other.refusal?.message.hasSuffix(
                "this TAP has hardware of unknown version and firmware of unknown version") == true)
    }

    @Test(
        "The hardware version determines the model",
        arguments: [("3.2.5", "Tap Strap"), ("3.3", "Tap Strap 2"), ("3.9", "Tap Strap 2"), ("4.0", "TapXR")])
    func models(_ hardware: String, _ model: String) {
        let bench = TapBench.connected(PlayedTap.Kind(hardware: hardware, firmware: "3.5.24"))
        #expect(
            bench.info
                == DeviceInfo(
                    manufacturer: "TAP Systems", model: model, hardware: hardware, firmware: "3.5.24",
                    serial: "ABCDEF0123456789", bootloader: "012", modelVersion: "42",
                    secondFirmware: "1.0.0"))
    }
}
