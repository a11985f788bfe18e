import Bluetooth
import Testing
import VirtualDevices

@testable import ProxySimulator

@Suite("Simulated proxy: the bytes of advertisements")
struct AdvertisementDataTests {
    private static func bytes(_ advertisement: VirtualAdvertisement, isActive: Bool = true) -> String {
        Hex.string(AdvertisementData(advertisement).bytes(isActive: isActive))
    }

    @Test("Every kind of data is a structure with its length and type")
    func kinds() {
        let advertisement = VirtualAdvertisement(
            name: "ab", services: [0x180D], appearance: 0x0341, manufacturerData: [0x004C: [3]],
            serviceData: [0xFCD2: [1, 2]])
        #expect(
            Self.bytes(advertisement) == "020106" + "03030d18" + "0516d2fc0102" + "04ff4c0003" + "03194103"
                + "03096162")
    }

    @Test("A long UUID has its lowest byte first")
    func longUUID() {
        let uuid: UUID = "01234567-89ab-cdef-0011-223344556677"
        let bytes = "7766554433221100efcdab8967452301"
        #expect(Self.bytes(VirtualAdvertisement(name: "", services: [uuid])) == "0201061107" + bytes)
        #expect(
            Self.bytes(VirtualAdvertisement(name: "", services: [], serviceData: [uuid: [7]]))
                == "0201061221" + bytes + "07")
    }

    @Test("Data that does not fit is in the scan response, or omitted; a long name is shortened")
    func space() {
        let name = String(repeating: "n", count: 40)
        let advertisement = VirtualAdvertisement(
            name: name, services: [], manufacturerData: [1: [UInt8](repeating: 0, count: 28)])
        let shortened = "1e08" + String(repeating: "6e", count: 29)
        #expect(Self.bytes(advertisement) == "020106" + shortened)
        #expect(Self.bytes(advertisement, isActive: false) == "020106")
    }
}
