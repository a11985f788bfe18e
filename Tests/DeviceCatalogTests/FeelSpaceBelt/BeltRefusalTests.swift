import Bluetooth
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Refusals with their reason")
struct BeltRefusalTests {
    private static let refused: [(String, String, UInt16, CommandError.Code)] = [
        ("mode", "calibration", 52, .missingField), ("mode", "standby", 52, .missingField),
        ("mode", #"{"mode":"standby","confirm":false}"#, 52, .missingField),
        ("mode", "fast", 52, .invalidValue), ("mode", "", 52, .invalidPayload),
        ("mode", "crossing", 43, .notSupported), ("intensity", "4", 52, .outOfRange),
        ("intensity", "400", 52, .outOfRange), ("intensity", "loud", 52, .invalidValue),
        ("vibrate", "90", 52, .wrongMode), ("vibrate", #"{"channel":0,"direction":90}"#, 52, .wrongMode),
        ("vibrate", #"{"channel":1,"direction":90,"iterations":1}"#, 52, .wrongMode),
        ("vibrate", #"{"channel":0,"direction":90,"iterations":1,"clear_others":true}"#, 52, .wrongMode),
        ("vibrate", "{}", 52, .missingField), ("vibrate", "361", 52, .outOfRange),
        ("vibrate", "360", 52, .wrongMode),
        ("vibrate", #"{"direction":1,"motor":1}"#, 52, .invalidValue),
        ("vibrate", #"{"direction":1,"channel":6}"#, 52, .outOfRange),
        ("vibrate", #"{"direction":1,"iterations":128}"#, 52, .outOfRange),
        ("vibrate", #"{"direction":1,"strength":1}"#, 52, .unknownField),
        ("vibrate", #"{"motors":[0,1,2,3,4,5,6]}"#, 52, .outOfRange),
        ("vibrate", #"{"motors":[0,1,2,3,4]}"#, 43, .notSupported),
        ("vibrate", #"{"pattern":"warning","motors":[1]}"#, 52, .invalidValue),
        ("pulse", #"{"direction":90}"#, 52, .wrongMode), ("pulse", #"{"direction":90}"#, 43, .notSupported),
        ("pulse", #"{"channel":0,"iterations":1}"#, 52, .missingField),
        ("sound", "start", 44, .notSupported), ("sound", "moo", 52, .invalidValue),
        ("sound", #"{"steps":[]}"#, 52, .outOfRange),
        ("sound", #"{"steps":[{"hz":8000,"ms":1}]}"#, 52, .outOfRange),
        ("notify", "direction", 52, .missingField), ("signal", "party", 52, .invalidValue),
        ("orientation", #"{"period_ms":100}"#, 51, .notSupported),
        ("orientation", #"{"period_ms":19}"#, 52, .outOfRange),
        ("heading_offset", "361", 52, .outOfRange),
        ("heading_offset", #"{"heading_offset":1,"persist":true}"#, 40, .notSupported),
        ("accuracy_signal", "sometimes", 52, .invalidValue),
        ("device_name", "naviGuertel-number-two", 52, .outOfRange),
        ("device_name", "Gürtel", 52, .invalidValue),
        ("reset", #"{"parameters":true}"#, 52, .missingField),
        ("reset", #"{"confirm":true}"#, 42, .notSupported),
        ("reset", #"{"parameters":false,"confirm":true}"#, 52, .invalidValue),
        ("navigation", "{}", 52, .missingField), ("navigation", "start", 52, .missingField),
        ("navigation", "pause", 52, .wrongMode), ("navigation", "faster", 52, .invalidValue),
        ("navigation", #"{"direction":-1}"#, 52, .outOfRange),
    ]

    @Test("A command that cannot be carried out writes nothing", arguments: refused)
    func refuse(_ feature: String, _ payload: String, _ firmware: UInt16, _ code: CommandError.Code) {
        var bench = BeltBench.online(firmware: firmware)
        bench.command(feature, payload)
        #expect(bench.take() == ["#1 \(code.rawValue)"])
    }

    @Test("A belt without the buzzer characteristic refuses sounds")
    func noBuzzer() {
        var profile = BeltGATT.profile
        profile.characteristics[BeltGATT.sound] = nil
        var bench = BeltBench.connected(profile: profile)
        bench.command("sound", "start")
        #expect(bench.take().last == "#1 not_supported")
    }

    @Test("Outside app mode, channel 0 accepts limited vibrations that clear nothing")
    func acceptanceRule() {
        var bench = BeltBench.online()
        bench.command("vibrate", #"{"channel":0,"direction":90,"iterations":1}"#)
        #expect(bench.takeWrites().count == 1)
    }

    @Test("enter_app_mode requests app mode first, and vibrates after its confirmation")
    func enterAppMode() {
        var bench = BeltBench.online()
        bench.command("vibrate", #"{"direction":90,"enter_app_mode":true}"#)
        #expect(bench.takeWrites() == ["FE05 01 81 03 00"])
        bench.acknowledge()
        #expect(bench.takeWrites() == [])
        bench.notify(mode: .app)
        #expect(bench.takeWrites() == ["FE03 01 01 AA AA 00 00 02 5A 00 00 00 00 F4 01 00 00 00 00"])
        #expect(bench.answers[1] == nil)
        bench.acknowledge()
        #expect(bench.answers[1] == [.ok])
    }
}
