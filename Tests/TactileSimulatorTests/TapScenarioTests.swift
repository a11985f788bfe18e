import Bluetooth
import Testing
import VirtualDevices

@testable import tactile_simulator

@Suite("TAPs in scenario files")
struct TapScenarioTests {
    @Test("Every choice of a TAP is understood")
    func readsTap() throws {
        let scenario = try ScenarioFile.read(text: Self.tap, file: "s.yaml")
        #expect(scenario.radio.claimedServices == [0x180A, 0x180F])
        #expect(scenario.devices[0].isBonded)
        guard case .tap(let choices) = scenario.devices[0].model else { return }
        var expected = VirtualTap.Choices(.xr)
        expected.hardware = "4.1"
        expected.firmware = "3.4.9"
        expected.bootloader = "7"
        expected.serial = "S1"
        expected.modelVersion = "9"
        expected.coprocessor = "2.0"
        expected.name = "Tap_left"
        expected.longestName = 10
        expected.advertisesNewName = false
        expected.batteryLevel = 12
        expected.batteryDrain = 2
        expected.notifiesBattery = false
        expected.hasInputService = false
        expected.advertisesInput = false
        expected.advertisesTap = false
        expected.appearance = 961
        expected.encryption = .standard
        expected.pairing = .mode
        expected.commandWrites = .request
        expected.missing = [0x2A28, "c3ff000b-1d8b-40fd-a56f-c7bd5d0f3370"]
        expected.modeTimeout = nil
        expected.keepsMode = true
        expected.commandSlot = .milliseconds(100)
        expected.rejection = 0x80
        expected.shortRaw = .ignored
        expected.sensitivityChange = .ignored
        expected.announcesXRState = false
        expected.playsSinglePulse = true
        expected.settings[3] = 0
        expected.sendsEventsInRaw = true
        expected.sendsGesturesInText = true
        expected.tapLength = 1
        expected.sendsTapInterval = true
        expected.sendsAngles = true
        expected.mouseTime = 10
        expected.handPeriod = .milliseconds(50)
        expected.fingerRate = 125
        expected.motionRate = 104
        expected.rawPeriod = .milliseconds(40)
        expected.rawPadding = .mixed
        expected.paddingCount = 1
        expected.mixesMessages = false
        expected.clockStart = 2_147_483_000
        expected.framed = .beside
        expected.keepAliveTimeout = .seconds(5)
        expected.answersQuestions = false
        expected.announcesSettings = true
        expected.isSilentInStandby = false
        expected.typesBesideFrames = true
        #expect(choices == expected)
    }

    static let tap = """
        bluez: { claimed_services: [180A, 180F] }
        devices:
          left:
            kind: tap
            bonded: true
            choices:
              model: xr
              hardware: "4.1"
              firmware: "3.4.9"
              bootloader: "7"
              serial: S1
              model_version: "9"
              coprocessor: "2.0"
              longest_name: 10
              name: Tap_left
              advertise_new_name: false
              battery: 12
              battery_drain_per_minute: 2
              notify_battery: false
              hid: false
              advertise_hid: false
              advertise_tap: false
              appearance: 961
              encryption: standard
              pairing: mode
              command_writes: request
              missing: [2A28, c3ff000b-1d8b-40fd-a56f-c7bd5d0f3370]
              mode_timeout: off
              keep_mode: true
              command_slot: 100ms
              rejected_command: 0x80
              short_raw_command: ignored
              sensitivity_change: ignored
              announce_xr_state: false
              single_pulse: true
              developer_mode: false
              events_in_raw: true
              gestures_in_text: true
              tap_length: 1
              tap_interval: true
              mouse_angles: true
              mouse_dt: 10
              hand_period: 50ms
              finger_rate: 125
              imu_rate: 104
              raw_period: 40ms
              raw_padding: mixed
              raw_padding_bytes: 1
              raw_mixed: false
              clock: 2147483000
              framed: beside
              keep_alive_timeout: 5s
              answer_questions: false
              announce_settings: true
              silent_standby: false
              types_beside_frames: true
        """

    @Test("Many devices of a kind are one entry with a count")
    func countsDevices() throws {
        let scenario = try ScenarioFile.read(
            text: "devices: { tap: { count: 20, bonded: true }, belt: }", file: "s.yaml")
        #expect(scenario.devices.map(\.name) == (1...20).map { "tap-\($0)" } + ["belt"])
        #expect(scenario.devices.map(\.address.suffix) == (1...21).map { "00be" + Hex.string($0, digits: 2) })
        #expect(scenario.devices.filter(\.isBonded).count == 20)
        let own = try ScenarioFile.read(
            text: "devices: { t: { kind: tap, address: \"D7:00:00:00:00:FF\", count: 2 } }", file: "s.yaml")
        #expect(own.devices.map(\.address.description) == ["D7:00:00:00:00:FF", "D7:00:00:00:01:00"])
    }

    static let mistakes: [(text: String, message: String)] = [
        ("devices: { tap: { choices: { model: strap3 } } }", "expected one of strap, strap2, xr"),
        ("devices: { tap: { choices: { hdi: true } } }", "hdi: unknown key; did you mean 'hid'?"),
        ("devices: { tap: { choices: { missing: 2A28 } } }", "expected a list of characteristics such as"),
        ("devices: { tap: { choices: { missing: [2A28, x] } } }", "'x' found, expected a list"),
        ("devices: { tap: { choices: { firmware: \"2.4\\u00e9\" } } }", "printable ASCII characters"),
        ("devices: { tap: { acts: [ { do: \"32\" } ] } }", "'32' is not understood; a Tap Strap 2"),
        ("devices: { tap: { acts: [ { do: hand fist } ] } }", "only a TapXR detects the hand"),
        ("devices: { tap: { count: 0 } }", "devices.tap.count: '0' found, expected a whole number from 1"),
        (
            "devices: { t: { kind: tap, count: 2 }, t-2: { kind: tap } }",
            "'t-2' is already the name of another device"
        ),
        ("bluez: { claimed_services: 180A }", "expected a list such as [180A, 180F]"),
    ]

    @Test("A mistake says what was found and what is allowed", arguments: mistakes)
    func complains(text: String, message: String) {
        #expect {
            _ = try ScenarioFile.read(text: text, file: "s.yaml")
        } throws: { error in
            let description = (error as? ScenarioError)?.description ?? ""
            if !description.contains(message) { Issue.record("said: \(description)") }
            return description.contains(message)
        }
    }
}
