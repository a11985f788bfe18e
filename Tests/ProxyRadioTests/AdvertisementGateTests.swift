import Bluetooth
import Testing

@testable import ProxyRadio

@Suite("Advertisements over a proxy")
struct AdvertisementGateTests {
    private static let belt = ProxyScope.belt

    private static func advertisement(_ rssi: Int, name: String? = nil, _ address: Address = belt)
        -> Advertisement
    {
        Advertisement(address: address, name: name, rssi: rssi)
    }

    @Test("Changes of the signal strength are reported once a second, all other changes immediately")
    func interval() {
        var gate = AdvertisementGate()
        let times: [(Int, String?, Duration, Bool)] = [
            (-50, nil, .zero, true), (-51, nil, .milliseconds(999), false), (-50, nil, .seconds(1), true),
            (-50, "belt", .milliseconds(1001), true), (-49, "belt", .milliseconds(2000), false),
            (-49, "belt", .milliseconds(2001), true),
        ]
        for (rssi, name, time, isAdmitted) in times {
            let result = gate.admits(Self.advertisement(rssi, name: name), at: time)
            #expect(result == isAdmitted)
        }
        gate.tellAgain()
        let isAdmitted = gate.admits(Self.advertisement(-49, name: "belt"), at: .milliseconds(2002))
        #expect(isAdmitted)
        #expect(gate[Self.belt]?.name == "belt")
    }

    @Test("A device is fresh for 15 s, unless it did not answer")
    func freshness() {
        var gate = AdvertisementGate()
        #expect(!gate.isFresh(Self.belt, at: .zero))
        _ = gate.admits(Self.advertisement(-50), at: .zero)
        #expect(gate.isFresh(Self.belt, at: .seconds(15)))
        #expect(!gate.isFresh(Self.belt, at: .milliseconds(15_001)))
        gate.missed(Self.belt)
        #expect(!gate.isFresh(Self.belt, at: .zero))
        _ = gate.admits(Self.advertisement(-50), at: .seconds(1))
        #expect(gate.isFresh(Self.belt, at: .seconds(1)))
    }

    @Test("The number of devices is limited; absent devices are removed first")
    func growth() {
        var gate = AdvertisementGate()
        let limit = AdvertisementGate.maximumDevices
        for number in 1...limit {
            _ = gate.admits(
                Self.advertisement(-50, Address(number: UInt64(number))),
                at: number == 1 ? .seconds(20) : .zero)
        }
        #expect(gate.known.count == limit)
        _ = gate.admits(Self.advertisement(-50), at: .seconds(20))
        #expect(gate.known.map(\.address) == [Address(number: 1), Self.belt])
        for number in 1...10 * limit {
            _ = gate.admits(Self.advertisement(-50, Address(number: UInt64(number))), at: .seconds(20))
            if number.isMultiple(of: 100) { #expect(gate.known.count <= limit) }
        }
    }
}
