import Bluetooth
import Glibc
import HostServices
import Testing
import VirtualDevices

@testable import tactile_simulator

@Suite("Scenario files")
struct ScenarioFileTests {
    @Test(
        "An empty file is the standard scenario: one device of each family, at rest",
        arguments: ["", "# nothing\n", "devices:\n", "{}"])
    func isStandard(text: String) throws {
        let scenario = try? ScenarioFile.read(text: text, file: "s.yaml")
        #expect(scenario == (text.hasPrefix("devices") ? nil : .standard))
    }

    @Test("A FIFO is refused at once", .timeLimit(.minutes(1)))
    func fifo() {
        let path = "/tmp/tactile-simulator-fifo-\(getpid())"
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let error = #expect(throws: ScenarioError.self) { try ScenarioFile.read(path: path) }
        #expect(error?.message == "the file cannot be read: not a regular file")
    }

    @Test("A device is named by its key; everything else has defaults")
    func readsDefaults() throws {
        let scenario = try ScenarioFile.read(
            text: "devices: { belt: , tap: , hips: { kind: belt } }", file: "s.yaml")
        #expect(scenario.devices.map(\.name) == ["belt", "tap", "hips"])
        let addresses: [Bluetooth.Address] = ["C0:FF:EE:00:BE:01", "C0:FF:EE:00:BE:02", "C0:FF:EE:00:BE:03"]
        #expect(scenario.devices.map(\.address) == addresses)
        #expect(Array(scenario.devices.prefix(2)) == Array(Scenario.standard.devices.prefix(2)))
    }

    @Test("Everything that can be said is understood")
    func readsEverything() throws {
        let scenario = try ScenarioFile.read(text: Self.everything, file: "s.yaml")
        #expect(scenario.seed == 7)
        #expect(scenario.radio.connectTime == .milliseconds(50))
        #expect(scenario.radio.adapters == 2)
        let device = scenario.devices[0]
        #expect(device.address == "01:02:03:04:05:06")
        #expect(!device.hasRandomAddress)
        #expect(device.rssi == -80)
        #expect(device.mtu == 23)
        #expect(device.alsoAdvertises == [0x1812])
        #expect(device.alsoHas == [0x1812, 0x1124])
        guard case .belt(let choices) = device.model else { return }
        #expect(choices.nameSuffix == "")
        #expect(choices.firmware == [4, 0, 4, 9])
        #expect(choices.pairing == .mode)
        #expect(choices.offersWriteWithoutResponse)
        #expect(choices.keepAlivePeriod == .milliseconds(1500))
        #expect(choices.missedReplies == 3)
        #expect(choices.pressCodes == [0, 1, 4])
        #expect(choices.refusedMode == .silent)
        #expect(choices.rejection == .error(0x80))
        #expect(choices.waitSignalPeriod == nil)
        #expect(choices.patterns[2] == VirtualBelt.Pattern(onAndOff: [100, 50, 100]))
        #expect(choices.batteryLevel == 12.5)
        #expect(
            device.steps == [
                .init(after: .seconds(5), every: .seconds(5), times: 2, act: ["press", "home"]),
                .init(after: .seconds(60), act: ["drop"]),
                .init(after: .seconds(2), every: .seconds(30), act: ["mute"]),
                .init(after: .seconds(12), every: .seconds(30), act: ["unmute"]),
                .init(after: .zero, act: ["garbage", "50"]),
            ])
        #expect(
            device.faults == [
                .init(.slow(.milliseconds(300)), after: .seconds(1), lasting: .seconds(2)),
                .init(.refuse(14), characteristic: 0xFE03, times: 3),
            ])
    }

    static let everything = """
        seed: 7
        bluez: { adapters: 2, connect_time: 50ms }
        devices:
          hips:
            kind: belt
            address: "01:02:03:04:05:06"
            address_type: public
            also_advertises: ["1812"]
            also_has: ["1812", "1124"]
            rssi: -80
            mtu: 23
            choices:
              name_suffix: ""
              firmware: "04 00 04 09"
              pairing: mode
              write_without_response: true
              keep_alive: 1.5s
              missed_replies: 3
              press_codes: "00 01 04"
              refused_mode: silent
              rejected_command: 0x80
              wait_signal: off
              patterns: { 2: [100, 50, 100] }
              battery: 12.5
            acts:
              - { every: 5s, times: 2, do: press home }
            faults:
              - { drop: true, after: 1min }
              - { vanish: 10s, after: 2s, every: 30s }
              - { garbage: 50 }
              - { slow: 300ms, after: 1s, for: 2s }
              - { refuse: 0x0E, characteristic: FE03, times: 3 }
        """

    static let mistakes: [(text: String, message: String)] = [
        ("sed: 1", "s.yaml:1: sed: unknown key; did you mean 'seed'? Known here: seed, bluez, devices"),
        ("seed: x", "s.yaml:1: seed: 'x' found, expected a whole number from 0 to"),
        ("devices: 3", "s.yaml:1: devices: '3' found, expected a mapping"),
        ("devices: {}", "s.yaml:1: devices: missing, expected at least one device"),
        ("devices:\n  hips: {}", "s.yaml:2: devices.hips.kind: missing, expected one of belt, tap"),
        (
            "devices:\n  belt:\n    kind: tub",
            "s.yaml:3: devices.belt.kind: 'tub' found, expected one of belt"
        ),
        (
            "devices:\n  belt:\n\n    rssi: loud",
            "s.yaml:4: devices.belt.rssi: 'loud' found, expected a whole number from -127 to 20"
        ),
        (
            "devices: { belt: { mtu: 22 } }",
            "s.yaml:1: devices.belt.mtu: '22' found, expected a whole number from 23 to 517"
        ),
        ("devices: { belt: { address: 1 } }", "devices.belt.address: '1' found, expected an address such as"),
        (
            "devices:\n  belt: { choices: { keep_alive: 2 } }",
            "s.yaml:2: devices.belt.choices.keep_alive: '2' found, expected a time of at least 10.0 ms, such as 300ms, 2s or 1min"
        ),
        ("devices:\n  belt: { choices: { pairing: never } }", "expected one of off, anytime, mode"),
        ("devices:\n  belt: { choices: { firmware: 34 } }", "expected 3 to 20 bytes in hexadecimal"),
        (
            "devices:\n  belt: { choices: { patterns: { 27: [1] } } }",
            "expected a pattern's number from 0 to 26"
        ),
        ("devices:\n  belt: { choices: { patterns: { 2: [0] } } }", "expected a time in ms from 1 to 65535"),
        (
            "devices:\n  belt:\n    acts:\n      - { after: 1s, do: press knob }",
            "s.yaml:4: devices.belt.acts[0].do: 'press knob' is not understood; a belt accepts"
        ),
        ("devices:\n  belt:\n    acts:\n      - { after: 1s }", "s.yaml:4: devices.belt.acts[0].do: missing"),
        ("devices: { belt: { acts: press home } }", "expected a list"),
        ("devices: { belt: { faults: [ { slow: 1s, drop: true } ] } }", "exactly one of them"),
        ("devices: { belt: { faults: [ { drop: true, until: 1s } ] } }", "unknown key"),
        ("devices: { belt: { kind: belt, kind: belt } }", "more than once"),
        ("devices: { \"a b\": { kind: belt } }", "expected a name without spaces"),
        (
            "devices: { a: { kind: belt, address: \"01:02:03:04:05:06\" }, b: { kind: belt, address: \"01:02:03:04:05:06\" } }",
            "is already the address of another device"
        ),
        ("devices: [", "not valid YAML"),
    ]

    @Test("A mistake names file, line, key, what was found and what is allowed", arguments: mistakes)
    func complains(text: String, message: String) {
        #expect {
            _ = try ScenarioFile.read(text: text, file: "s.yaml")
        } throws: { error in
            let description = (error as? ScenarioError)?.description ?? ""
            if !description.contains(message) { Issue.record("said: \(description)") }
            return description.contains(message)
        }
    }

    @Test("The demonstration is a valid scenario, and its choices are the defaults but for the battery")
    func readsDemonstration() throws {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(folder)/config/scenarios/demo.yaml"
        let scenario = try ScenarioFile.read(path: path)
        #expect(scenario.devices[0].steps.count == 4)
        var choices = VirtualBelt.Choices()
        choices.batteryLevel = 90
        choices.batteryDrain = 1
        #expect(scenario.devices[0].model == .belt(choices))
        var tap = VirtualTap.Choices()
        tap.hardware = "3.3.0"
        tap.firmware = "2.4.5"
        #expect(scenario.devices[1].model == .tap(tap))
        #expect(VirtualTap.Choices.Model.strap2.hardware == tap.hardware)
        #expect(VirtualTap.Choices.Model.strap2.firmware == tap.firmware)
        #expect(scenario.devices[1].isBonded)
        // The examples that are commented out must be right too.
        let text = String(decoding: try FileAccess.read(path), as: UTF8.self)
        let whole = text.split(separator: "\n").map(String.init).map { line in
            ["# faults:", "#   -", "# bluez", "#   resolve", "#   connect", "#   claimed"].contains {
                line.contains($0)
            }
                ? line.replacing("# ", with: "", maxReplacements: 1) : line
        }
        let full = try ScenarioFile.read(text: whole.joined(separator: "\n"), file: path)
        #expect(full.devices[0].faults.count == 2)
        #expect(full.radio.connectTimeout == .seconds(40))
        #expect(full.radio.claimedServices == [0x180A, 0x180F])
    }

    @Test("A file that is not there is named")
    func namesMissingFile() {
        #expect {
            _ = try ScenarioFile.read(path: "/nowhere/s.yaml")
        } throws: { error in
            (error as? ScenarioError)?.description.hasPrefix("/nowhere/s.yaml: the file cannot be read")
                == true
        }
    }
}
