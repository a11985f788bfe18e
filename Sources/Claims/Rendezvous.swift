public import Bluetooth

/// Orders the bridges for each device by rendezvous hashing, with the same result on each bridge. The devices of a
/// bridge that goes offline are distributed over the others, and all other devices keep their bridge.
public enum Rendezvous {
    /// How long a bridge waits for each bridge that precedes it in the order, so that the preceding bridge can act
    /// first.
    static let pause = Duration.milliseconds(500)
    /// The number of preceding bridges that increase the wait. Further preceding bridges do not increase it.
    static let limit = 8

    /// The number of other bridges that precede this bridge. Counting stops at ``limit``, so that few bridges are
    /// examined.
    public static func place(of bridge: String, among others: [String], for address: Address) -> Int {
        let own = weight(bridge, address)
        var place = 0
        for other in others where place < limit && other != bridge {
            let weight = weight(other, address)
            if weight < own || weight == own && other < bridge { place += 1 }
            if place == limit { break }
        }
        return place
    }

    /// A number from 0 to 1 that differs between bridges, so that equal bridges do not act at the same time.
    public static func share(of bridge: String, for address: Address) -> Double {
        Double(weight(bridge, address)) / Double(UInt64.max)
    }

    /// How long a bridge waits for the bridges before it in the order; `place` is their number.
    public static func pause(_ place: Int) -> Duration { pause * min(place, limit) }

    /// FNV-1a over the id and the address, with a final mix. Without the final mix, similar addresses would get similar
    /// weights.
    private static func weight(_ bridge: String, _ address: Address) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bridge.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for shift in stride(from: 40, through: 0, by: -8) {
            hash = (hash ^ (address.number >> UInt64(shift) & 0xFF)) &* 0x100_0000_01b3
        }
        hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
        return hash ^ hash >> 33
    }
}
