import DeviceKit
import JSON
import Testing
import VirtualDevices

@testable import DeviceCatalog

@Suite("The family with the virtual TAP, two independent implementations of the protocol")
struct VirtualTapTests {
    private static let models: [VirtualTap.Choices.Model] = [.strap, .strap2, .xr]

    @Test("Each model becomes ready, reports its identity and accepts the mode", arguments: models)
    func ready(_ model: VirtualTap.Choices.Model) {
        let couple = TapCouple.connected(VirtualTap.Choices(model))
        #expect(couple.isReady)
        #expect(couple.mode == "controller")
        #expect(couple.reports["input_mode"] == "controller")
        #expect(couple.reports["battery"] == ["level": 87])
        #expect(couple.reports["device_name"] == "Tap_SIM")
        #expect(couple.reports["air_mouse"] == false)
        let names: [VirtualTap.Choices.Model: String] = [
            .strap: "Tap Strap", .strap2: "Tap Strap 2", .xr: "TapXR",
        ]
        #expect(couple.info.model == names[model])
        #expect(couple.info.manufacturer == "TAP Systems")
        #expect((couple.reports["xr_state"] == "user_control") == (model == .xr))
        #expect(couple.count("rejected") == 0)
        #expect(couple.count("hurried") == 0)
    }

    @Test("Every combination arrives, with repeat, shift and switch")
    func taps() {
        var couple = TapCouple.connected()
        for combination in 1...31 {
            couple.act("\(combination)")
            #expect(couple.reports["tapped"]?["combination"] == .integer(combination))
        }
        #expect(couple.takeEvents().count == 31)
        couple.act("5")
        #expect(
            couple.takeEvents() == [
                #"tapped {"combination":5,"fingers":["thumb","middle"],"repeat":1,"shift":"off","switch":false}"#
            ])
        couple.act("3 triple locked switch")
        #expect(couple.reports["tapped"]?["repeat"] == 3)
        #expect(couple.reports["tapped"]?["shift"] == "locked")
        #expect(couple.reports["tapped"]?["switch"] == true)
    }

    @Test("A tap with one byte has no keyboard state")
    func shortTap() {
        var couple = TapCouple.connected { $0.tapLength = 1 }
        couple.act("5")
        #expect(couple.reports["tapped"]?["repeat"] == .null)
        #expect(couple.reports["tapped"]?["shift"] == .null)
        #expect(couple.reports["tapped"]?["switch"] == .null)
    }

    @Test("Mouse motion, gestures, and touches of the air-mouse state arrive")
    func motion() {
        var couple = TapCouple.connected()
        couple.act("mouse 12 -3 dt 7")
        couple.act("mouse -300 300 lifted angles 1 2 3")
        couple.act("gesture 2")
        couple.act("air-mouse on")
        #expect(couple.reports["air_mouse"] == true)
        couple.act("2")
        couple.act("4")
        couple.act("1")
        couple.act("air-mouse off")
        couple.act("2")
        #expect(couple.reports["air_mouse"] == false)
        #expect(
            couple.takeEvents() == [
                #"moused {"velocity_x":12,"velocity_y":-3,"is_mouse":true,"dt":7}"#,
                #"moused {"velocity_x":-300,"velocity_y":300,"is_mouse":false,"dt":0}"#,
                #"gesture {"gesture":"one_finger_up","code":2}"#,
                #"gesture {"gesture":"index_to_thumb","code":10}"#,
                #"gesture {"gesture":"middle_to_thumb","code":11}"#,
                #"tapped {"combination":1,"fingers":["thumb"],"repeat":1,"shift":"off","switch":false}"#,
                #"tapped {"combination":2,"fingers":["index"],"repeat":1,"shift":"off","switch":false}"#,
            ])
    }

    @Test("The refresh keeps a mode for ten minutes; without it, the TAP becomes a keyboard")
    func refresh() {
        var couple = TapCouple.connected()
        couple.run(.seconds(600))
        #expect(couple.mode == "controller")
        #expect(couple.count("hurried") == 0)
        couple.isDead = true
        couple.run(.seconds(21))
        #expect(couple.mode == "text")
    }

    @Test("All five modes are set, and the link closes in text mode")
    func modes() {
        var couple = TapCouple.connected()
        for mode in TapInputMode.allCases {
            #expect(couple.command("input_mode", mode.rawValue) == .ok)
            #expect(couple.reports["input_mode"] == .string(mode.rawValue))
        }
        #expect(couple.mode == "raw")
        couple.close()
        #expect(couple.mode == "text")
        #expect(couple.told.last { $0.event == "mode" }?.details["because"] == "command")
        #expect(couple.count("rejected") == 0)
        #expect(couple.count("hurried") == 0)
    }

    @Test("Successive commands have the pause that a firmware with one buffer requires")
    func oneSlot() {
        var couple = TapCouple.connected(VirtualTap.Choices(.xr)) { $0.commandSlot = .milliseconds(180) }
        couple.command("xr_state", "air_mouse", run: .zero)
        couple.command("input_mode", "raw", run: .zero)
        couple.command("xr_state", "tapping", run: .zero)
        couple.command("input_mode", "controller", run: .seconds(2))
        #expect(couple.told.filter { $0.event == "xr_state" }.compactMap { $0.details["state"] }.count == 2)
        #expect(couple.mode == "controller")
        couple.run(.seconds(30))
        #expect(couple.count("hurried") == 0)
        couple.close()
        #expect(couple.mode == "text")
        #expect(couple.count("hurried") == 0)
    }

    @Test("The hand of a TapXR is filtered")
    func hand() {
        var couple = TapCouple.connected(VirtualTap.Choices(.xr))
        couple.command("xr_state", "air_mouse")
        #expect(couple.reports["air_mouse"] == true)
        couple.act("hand fist 5")
        couple.run(.seconds(1))
        #expect(couple.reports["hand"] != nil)
    }

    @Test(
        "Raw values arrive in physical units, with any padding and MTU",
        arguments: [
            VirtualTap.Choices.Padding.padded, .unpadded, .mixed,
        ])
    func raw(_ padding: VirtualTap.Choices.Padding) throws {
        var choices = VirtualTap.Choices()
        choices.rawPadding = padding
        choices.sendsEventsInRaw = true
        var couple = TapCouple.connected(choices)
        couple.command(
            "input_mode", #"{"mode":"raw","sensitivity":{"fingers":1,"gyro":5,"accelerometer":4}}"#)
        _ = couple.takeEvents()
        couple.run(.seconds(10))
        let values = couple.takeEvents().compactMap {
            try? JSON.Value(parsing: Array($0.dropFirst("raw ".count).utf8))
        }
        let fingers = values.filter { $0["type"] == "fingers" }
        let imu = values.filter { $0["type"] == "imu" }
        #expect((1990...2010).contains(fingers.count))
        #expect((2070...2090).contains(imu.count))
        for list in [fingers, imu] {
            let times = list.compactMap { $0["timestamp_ms"]?.integer }
            #expect(zip(times, times.dropFirst()).allSatisfy { (4...6).contains($1 - $0) })
        }
        // A hand at rest measures gravity, in any range.
        let value = try #require(imu.first?["accelerometer"])
        let axes = ["x", "y", "z"].compactMap { value[$0]?.double }
        let pull = axes.reduce(0) { $0 + $1 * $1 }.squareRoot()
        #expect((700...1300).contains(pull))
        couple.act("5")
        #expect(couple.takeEvents().contains { $0.hasPrefix("tapped") })
    }

    @Test("A truncated frame yields its complete messages")
    func cutFrame() {
        var couple = TapCouple.connected()
        couple.command("input_mode", "raw")
        couple.act("raw off")
        _ = couple.takeEvents()
        couple.act("raw cut")
        #expect(couple.takeEvents().count == 1)
    }

    @Test("Two pulses of 500 ms with a pause of 100 ms are played")
    func vibration() {
        var couple = TapCouple.connected()
        #expect(couple.command("vibrate", "[500,100,500]", run: .seconds(2)) == .ok)
        #expect(couple.vibrations.map(\.isOn) == [true, false, true, false])
        let times = couple.vibrations.map(\.time)
        #expect(
            zip(times, times.dropFirst()).map { $1 - $0 } == [
                .milliseconds(500), .milliseconds(100), .milliseconds(500),
            ])
    }

    @Test("A new name is accepted; the TAP refuses a name that is too long")
    func rename() {
        var couple = TapCouple.connected()
        #expect(couple.command("device_name", "Tap_left") == .ok)
        #expect(couple.reports["device_name"] == "Tap_left")
        let long = String(repeating: "x", count: 40)
        guard case .failed(let error) = couple.command("device_name", long) else {
            Issue.record("a name of 40 bytes was taken")
            return
        }
        #expect(error.code == .deviceError)
    }

    @Test("A command that needs newer firmware is refused before anything is written")
    func oldFirmware() {
        var couple = TapCouple.connected(VirtualTap.Choices(.strap)) { $0.firmware = "2.3.24" }
        guard case .failed(let error) = couple.command("vibrate", "[500]") else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == .notSupported)
        #expect(error.message.contains("2.3.25") && error.message.contains("2.3.24"))
        #expect(couple.vibrations.isEmpty)
    }

    @Test("After a reconnect, the TAP gets its mode again")
    func comeback() {
        var couple = TapCouple.connected()
        couple.command("input_mode", "raw")
        couple.drop()
        #expect(couple.mode == "text")
        couple.run(.seconds(3))
        couple.connect()
        #expect(couple.mode == "raw")
    }
}
