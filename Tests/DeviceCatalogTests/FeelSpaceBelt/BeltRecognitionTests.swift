import Bluetooth
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("A belt is recognised by a UUID and its name")
struct BeltRecognitionTests {
    @Test(
        "Advertisements",
        arguments: [
            ("naviGuertel-1234", [BeltGATT.advertisedService], true),
            ("NAVIGUERTEL", [BeltGATT.controlService], true),
            ("naviguertel x", [BeltGATT.advertisedService, BeltGATT.controlService, 0x180F], true),
            ("naviGuertel", [], false), ("naviGuertel", [0x180F], false),
            ("my naviGuertel", [BeltGATT.controlService], false),
            ("Shimmer3R", [BeltGATT.advertisedService], false),
            (nil, [BeltGATT.advertisedService], false), ("", [BeltGATT.controlService], false),
        ] as [(String?, Set<UUID>, Bool)])
    func recognition(_ name: String?, _ services: Set<UUID>, _ isBelt: Bool) {
        let advertisement = Advertisement(
            address: "C0:FF:EE:00:00:01", name: name, services: services)
        #expect(BeltFamily().recognises(advertisement) == isBelt)
    }
}
