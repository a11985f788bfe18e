import Bluetooth
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("Recognition of a belt")
struct BeltRecognitionTests {
    @Test(
        "A belt is recognized by a service UUID together with its name",
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
