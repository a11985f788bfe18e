import Bluetooth
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Devices that were discovered and have not joined")
struct DiscoveryBookTests {
    private func device(_ number: Int, _ rssi: Int? = -80) -> Advertisement {
        Advertisement(address: Address(number: UInt64(number)), name: "belt", rssi: rssi)
    }

    private func full(_ rssi: Int = -80) -> DiscoveryBook {
        var book = DiscoveryBook()
        for number in 0..<DiscoveryBook.capacity {
            _ = book.hear(device(number, rssi), ["belt"], at: .milliseconds(number))
        }
        return book
    }

    @Test("Each device is announced once, whatever the number and strength of its advertisements")
    func once() {
        var book = DiscoveryBook()
        var heard = book.hear(device(1), ["belt"], at: .zero)
        #expect(heard == true)
        heard = book.hear(device(1, -40), ["belt"], at: .seconds(1))
        #expect(heard == false)
        #expect(book[Address(number: 1)]?.advertisement.rssi == -40)
        // The host knows the device but has received no advertisement now.
        heard = book.hear(device(1, nil), ["belt"], at: .seconds(2))
        #expect(heard == false)
        #expect(book[Address(number: 1)]?.advertisement.rssi == -40)
        #expect(book.count == 1)
        book.remove(Address(number: 1))
        #expect(book.count == 0)
        heard = book.hear(device(1), ["belt"], at: .seconds(3))
        #expect(heard == true)
    }

    @Test("A near device is kept among any number of weak ones: the oldest of the weakest is replaced")
    func strongest() {
        var book = full()
        _ = book.hear(device(0), ["belt"], at: .seconds(2))
        var heard = book.hear(device(5000, -50), ["tap"], at: .seconds(3))
        #expect(heard == true)
        #expect(book.count == DiscoveryBook.capacity)
        #expect(book[Address(number: 0)] != nil && book[Address(number: 1)] == nil)
        // Neither an equal nor a slightly stronger device replaces one, because signal strength fluctuates.
        heard = book.hear(device(6000, -80), ["belt"], at: .seconds(3))
        #expect(heard == false)
        heard = book.hear(device(6001, -78), ["belt"], at: .seconds(3))
        #expect(heard == false)
        #expect(book[Address(number: 5000)] != nil)
    }

    @Test("If all signals are strong, an entry without advertisements for a long time is replaced")
    func oldest() {
        var book = full(-40)
        for number in 1..<DiscoveryBook.capacity {
            _ = book.hear(device(number, -40), ["belt"], at: .seconds(60))
        }
        var heard = book.hear(device(5000, -50), ["tap"], at: .seconds(100))
        #expect(heard == false)
        heard = book.hear(device(5000, -50), ["tap"], at: DiscoveryBook.staleness + .seconds(1))
        #expect(heard == true)
        #expect(book[Address(number: 0)] == nil && book[Address(number: 1)] != nil)
    }

    @Test("A device that was replaced and returns is not announced again")
    func noEcho() {
        var book = full()
        var announced = 0
        for round in 0..<50 {
            for number in 0..<3000 {
                // The signals fluctuate, so that the devices replace each other.
                let rssi = -80 + (number * 7 + round * 13) % 12
                if book.hear(device(number, rssi), ["belt"], at: .seconds(1 + round)) { announced += 1 }
            }
        }
        #expect(announced <= 2000)
        #expect(book.count == DiscoveryBook.capacity)
    }

    @Test("An advertisement takes as long with 3,000 devices as with 100")
    func cost() {
        func time(_ count: Int) -> Duration {
            var book = DiscoveryBook()
            let rounds = 60_000 / count
            return ContinuousClock().measure {
                for round in 0..<rounds {
                    for number in 0..<count {
                        let rssi = -90 + (number * 7 + round * 13) % 40
                        _ = book.hear(device(number, rssi), ["belt"], at: .seconds(round))
                    }
                }
            } / (rounds * count)
        }
        // The best of several runs, since other tests run at the same time.
        let few = (0..<3).map { _ in time(100) }.min() ?? .zero
        let many = (0..<3).map { _ in time(3000) }.min() ?? .zero
        print("an advertisement: \(few) among 100 devices, \(many) among 3,000")
        #expect(many < few * 10 + .microseconds(200))
    }
}
