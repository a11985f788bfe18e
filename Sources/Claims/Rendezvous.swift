public import Bluetooth

/// Puts bridges in an order for each device, the same one at each bridge, by rendezvous hashing: so that the devices of
/// a bridge that dies are spread over the others, and those of the others stay where they are.
public enum Rendezvous {
    /// How long each bridge in front of this one may take to begin.
    static let pause = Duration.milliseconds(500)
    /// Behind so many bridges all wait alike.
    static let limit = 8

    /// How many of the other bridges come before this one; those behind ``limit`` are not counted, so that few are
    /// looked at.
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

    /// A number from 0 to 1 that differs from bridge to bridge, so that two that are alike do not act together.
    public static func share(of bridge: String, for address: Address) -> Double {
        Double(weight(bridge, address)) / Double(UInt64.max)
    }

    /// How long the bridge of a place waits for those before it.
    public static func pause(_ place: Int) -> Duration { pause * min(place, limit) }

    /// FNV-1a over the id and the address, with a last mix: without it neighboring addresses get neighboring weights.
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
