import Bluetooth
import ESPHome
import HostTesting
import Testing
import VirtualDevices

@testable import ProxyClient
@testable import ProxySimulator

@Suite("Advertisements of a proxy")
struct AdvertisementTableTests {
    private static let address: Address = "C0:FF:EE:00:BE:01"

    private static func packet(_ hex: String, _ address: Address = address) -> RawAdvertisement {
        RawAdvertisement(address: address, rssi: -48, addressType: 1, data: Hex.bytes(hex) ?? [])
    }

    @Test("The data of the simulated proxy is read, in the packet of an active scanner")
    func simulated() {
        let uuid: UUID = "01234567-89ab-cdef-0011-223344556677"
        for advertisement in [
            VirtualAdvertisement(name: "Heart 1", services: [0x180D, uuid], manufacturerData: [0x004C: [3]]),
            VirtualAdvertisement(name: "", services: [], serviceData: [0xFCD2: [1, 2], uuid: []]),
        ] {
            var table = AdvertisementTable()
            let data = AdvertisementData(advertisement).bytes(isActive: true)
            let found = table.add(RawAdvertisement(address: Self.address, rssi: -48, data: data))
            #expect(found.name ?? "" == advertisement.name)
            #expect(found.services == Set(advertisement.services))
            #expect(found.manufacturerData == advertisement.manufacturerData)
            #expect(found.serviceData == advertisement.serviceData)
            #expect(found.rssi == -48)
        }
    }

    @Test(
        "Services have 16, 32 or 128 bits",
        arguments: [
            ("03030d18", "0000180d-0000-1000-8000-00805f9b34fb"),
            ("050578563412", "12345678-0000-1000-8000-00805f9b34fb"),
            ("1107" + "7766554433221100efcdab8967452301", "01234567-89ab-cdef-0011-223344556677"),
        ])
    func services(_ data: String, _ uuid: String) {
        var table = AdvertisementTable()
        #expect(table.add(Self.packet(data)).services == Set([UUID(uuid)].compactMap { $0 }))
    }

    @Test("The packets of a device are merged: new data replaces data of the same kind only")
    func merge() {
        var table = AdvertisementTable()
        #expect(table.add(Self.packet("020106" + "03080061" + "04ff4c0001")).name == "\u{0}a")
        let found = table.add(Self.packet("03096162" + "04ff4c0002" + "04ff570003"))
        #expect(found.name == "ab")
        #expect(found.manufacturerData == [0x004C: [2], 0x0057: [3]])
        #expect(table.add(Self.packet("03080061")).name == "ab")
        #expect(table.addressType(of: Self.address) == 1)
        #expect(table.addressType(of: "00:11:22:33:44:55") == nil)
    }

    @Test(
        "An incomplete structure is ignored, and a length of 0 ends the data",
        arguments: ["0509616263", "0003096162", "09", "", "0116", "0216d2", "02ff4c"])
    func incomplete(_ data: String) {
        var table = AdvertisementTable()
        let found = table.add(Self.packet(data))
        #expect(found == Advertisement(address: Self.address, rssi: -48))
    }

    @Test("A further device replaces the one that was received least recently")
    func devices() {
        var table = AdvertisementTable()
        for number in 0..<UInt64(AdvertisementTable.maximumDevices) {
            _ = table.add(Self.packet("", Address(number: number)))
        }
        _ = table.add(Self.packet("", Address(number: 0)))
        _ = table.add(Self.packet("", Self.address))
        #expect(table.count == AdvertisementTable.maximumDevices)
        #expect(table.addressType(of: Address(number: 0)) == 1)
        #expect(table.addressType(of: Address(number: 1)) == nil)
    }

    @Test("10,000 random packets of a device are read without unbounded growth")
    func random() {
        var (random, table) = (RandomSource(seed: 5), AdvertisementTable())
        for _ in 0..<10_000 {
            let types: [UInt8] = [0x03, 0x07, 0x09, 0x16, 0x21, 0xFF]
            var data: [UInt8] = []
            while data.count < 62, let type = types.randomElement(using: &random) {
                let length = UInt8.random(in: 0...20, using: &random)
                data += [length, type] + (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            }
            let packet = RawAdvertisement(address: Self.address, data: Array(data.prefix(62)))
            let found = table.add(packet)
            let count = found.manufacturerData.count + found.serviceData.count
            #expect(count <= AdvertisedData.maximumStructures)
        }
    }
}
