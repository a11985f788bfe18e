import Bluetooth
import DeviceKit
import Testing

@testable import FeelSpaceBelt

@Suite("A belt is recognised by a UUID and its name")
struct RecognitionTests {
    @Test(
        "Advertisements",
        arguments: [
            ("naviGuertel-1234", [GATT.advertisedService], true),
            ("NAVIGUERTEL", [GATT.controlService], true),
            ("naviguertel x", [GATT.advertisedService, GATT.controlService, 0x180F], true),
            ("naviGuertel", [], false), ("naviGuertel", [0x180F], false),
            ("my naviGuertel", [GATT.controlService], false), ("Shimmer3R", [GATT.advertisedService], false),
            (nil, [GATT.advertisedService], false), ("", [GATT.controlService], false),
        ] as [(String?, Set<UUID>, Bool)])
    func recognition(_ name: String?, _ services: Set<UUID>, _ isBelt: Bool) {
        let advertisement = Advertisement(
            address: "C0:FF:EE:00:00:01", name: name, services: services)
        #expect(BeltFamily().recognises(advertisement) == isBelt)
    }
}
