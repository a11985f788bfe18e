import Bluetooth
import BridgeParts
import DeviceKit
import Testing

@Suite("New data in advertisements")
struct BroadcastFilterTests {
    private static let (used, other): (UUID, UUID) = (0xFCD2, 0x180F)

    private func advertisement(
        _ services: [UUID: [UInt8]], _ companies: [UInt16: [UInt8]] = [:], rssi: Int? = -60
    ) -> Advertisement {
        Advertisement(
            address: "C0:FF:EE:00:00:01", manufacturerData: companies, serviceData: services, rssi: rssi)
    }

    private func new(
        _ filter: inout BroadcastFilter, _ advertisement: Advertisement, over adapter: String = "hci0",
        at seconds: Double
    ) -> Broadcast? {
        filter.changes(in: advertisement, over: adapter, using: [Self.used], at: .seconds(seconds))
    }

    @Test("Only changed data of the family's services and of manufacturers is new")
    func changes() {
        var filter = BroadcastFilter()
        let first = new(&filter, advertisement([Self.used: [1]], [76: [2]]), at: 0)
        #expect(first?.serviceData == [Self.used: [1]] && first?.manufacturerData == [76: [2]])
        #expect(new(&filter, advertisement([Self.used: [1]], [76: [2]], rssi: -50), at: 1) == nil)
        #expect(new(&filter, advertisement([Self.used: [1], Self.other: [9]], [76: [2]]), at: 2) == nil)
        let third = new(&filter, advertisement([Self.used: [1], Self.other: [9]], [76: [3]]), at: 3)
        #expect(third?.serviceData == [:] && third?.manufacturerData == [76: [3]] && third?.rssi == -60)
    }

    @Test("The same data is new again only after the host has forgotten the device")
    func memory() {
        var filter = BroadcastFilter()
        let same = advertisement([Self.used: [1]])
        #expect(new(&filter, same, at: 0) != nil)
        #expect(new(&filter, same, at: 3600) == nil)
        filter.reset()
        #expect(new(&filter, same, at: 3601) != nil)
    }

    @Test("The old data of an adapter that missed a packet is not new")
    func adapters() {
        var filter = BroadcastFilter()
        let (old, next) = (advertisement([Self.used: [1]]), advertisement([Self.used: [2]]))
        #expect(new(&filter, old, over: "hci0", at: 0) != nil)
        #expect(new(&filter, old, over: "hci1", at: 1) != nil)
        #expect(new(&filter, next, over: "hci0", at: 60) != nil)
        #expect(new(&filter, old, over: "hci1", at: 61) == nil)
    }

    @Test("At most 40 packets at once and 20 a second are passed on; the last data arrives later")
    func flood() {
        var filter = BroadcastFilter()
        let passed = (0..<100).count { new(&filter, advertisement([Self.used: [UInt8($0)]]), at: 0) != nil }
        #expect(passed == 40 && filter.flooded == 60)
        let last = advertisement([Self.used: [99]])
        #expect(new(&filter, last, at: 0.01) == nil)
        #expect(new(&filter, last, at: 0.1)?.serviceData == [Self.used: [99]])
    }

    @Test("Data is fresh for 3 s; data that the host had at the start is not")
    func freshness() {
        var filter = BroadcastFilter()
        var first = advertisement([Self.used: [1]])
        first.isCached = true
        #expect(new(&filter, first, at: 0)?.isCached == true)
        #expect(!filter.isFresh(at: .zero))
        _ = new(&filter, advertisement([Self.used: [2]]), at: 10)
        #expect(filter.isFresh(at: .seconds(13)) && !filter.isFresh(at: .seconds(14)))
    }
}
