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
        gate.reportAgain()
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

    @Test("A device is forgotten a minute after its last advertisement, unless it is kept")
    func memory() {
        var gate = AdvertisementGate()
        _ = gate.admits(Self.advertisement(-50), at: .seconds(1))
        _ = gate.admits(Self.advertisement(-50, Address(number: 1)), at: .seconds(2))
        // It looks every ten seconds.
        let removed = [61, 70, 71, 81].map { second in
            gate.tidy(at: .seconds(second)) { $0 == Self.belt && second < 80 }
        }
        #expect(removed == [[], [], [Address(number: 1)], [Self.belt]])
        #expect(gate.known == [])
    }

    @Test(
        "With too many devices, those that advertised least recently are removed at once, but no device that is kept"
    )
    func growth() {
        var gate = AdvertisementGate()
        let limit = AdvertisementGate.maximumDevices
        var removed = 0
        _ = gate.admits(Self.advertisement(-50), at: .zero)
        for number in 1...10 * limit {
            let time = Duration.milliseconds(number)
            removed += gate.tidy(at: time) { $0 == Self.belt }.count
            _ = gate.admits(Self.advertisement(-50, Address(number: UInt64(number))), at: time)
            #expect(gate.known.count <= limit)
        }
        #expect(gate[Self.belt] != nil && gate[Address(number: UInt64(10 * limit))] != nil)
        #expect(removed + gate.known.count == 10 * limit + 1)
    }
}
