import Bluetooth
import Testing

@testable import Claims

@Suite("Order of bridges for a device")
struct RendezvousTests {
    private static let bridges = (1...8).map { "host\($0)" }

    private static func first(_ bridges: [String], _ address: Address) -> [String] {
        bridges.sorted {
            Rendezvous.place(of: $0, among: bridges, for: address)
                < Rendezvous.place(of: $1, among: bridges, for: address)
        }
    }

    @Test("All bridges compute the same order, in which each place is used once")
    func places() {
        for number in 0..<100 {
            let address = Address(number: UInt64(number))
            let places = Self.bridges.map { Rendezvous.place(of: $0, among: Self.bridges, for: address) }
            #expect(places.sorted() == Array(0..<8))
        }
    }

    @Test("Devices are distributed over the bridges, and the loss of a bridge moves only its own")
    func spread() {
        let addresses = (0..<800).map { Address(number: 0xC0FF_EE00_0000 + UInt64($0)) }
        let before = addresses.map { Self.first(Self.bridges, $0)[0] }
        for bridge in Self.bridges {
            #expect((60...140).contains(before.count { $0 == bridge }), "\(bridge)")
        }
        let rest = Self.bridges.filter { $0 != "host3" }
        for (address, former) in zip(addresses, before) where former != "host3" {
            #expect(Self.first(rest, address)[0] == former)
        }
    }

    @Test("A bridge waits for the preceding ones, up to a limit")
    func pause() {
        #expect(
            [0, 1, 2, 8, 50].map(Rendezvous.pause) == [0, 500, 1000, 4000, 4000].map { .milliseconds($0) })
    }
}
