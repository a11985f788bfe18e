import Bluetooth
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Recognition of a TAP")
struct TapRecognitionTests {
    @Test(
        "A TAP is recognized by its service or its name",
        arguments: [
            ("Tap_A1B2C3", [TapGATT.tapService, 0x1812], true), ("left hand", [TapGATT.tapService], true),
            (nil, [TapGATT.tapService], true), ("Tap_A1B2C3", [0x1812], true), ("Tap_A1B2C3", [], true),
            ("TapXR", [0x1812, 0x180F], true), ("Tap_A1B2C3", [0xFE51], false),
            ("Tapo lamp", [0xFFF0], false),
            ("my Tap", [0x1812], false), ("tap_1", [0x1812], false), (nil, [0x1812], false),
            ("keyboard", [0x1812], false), (nil, [], false), ("", [], false),
        ] as [(String?, Set<UUID>, Bool)])
    func recognition(_ name: String?, _ services: Set<UUID>, _ isTap: Bool) {
        let advertisement = Advertisement(address: "D7:A9:E0:8C:17:6E", name: name, services: services)
        #expect(TapFamily().recognises(advertisement) == isTap)
    }

    @Test("A TAP is a keyboard, which joins only by its address and with a bond")
    func requirements() {
        let requirements = TapFamily().requirements
        #expect(requirements.isInputDevice)
        #expect(requirements.bonding == .always)
        #expect(TapFamily().naming == .each)
    }

    @Test("Taps are events, which are never retained")
    func privacy() {
        #expect(TapFamily().feature("tapped")?.report?.kind == .event)
    }
}
