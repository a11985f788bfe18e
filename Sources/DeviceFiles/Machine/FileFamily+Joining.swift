package import Bluetooth
package import DeviceKit

// How devices of the family come to the bridge.
extension FileFamily {
    /// The last level of the group of all such devices.
    package var plural: String { file.plural }
    /// Whether such a device joins without its family or its address being named.
    package var joinsUnnamed: Bool { file.joining == .plain }
    /// Whether such a device is connected by request only.
    package var connectsOnRequest: Bool { file.connecting == .onRequest }

    /// The conditions and letters of the match that fits best.
    package func rank(of advertisement: Advertisement) -> MatchRank {
        match(advertisement).map { MatchRank(conditions: $0.conditions, literals: $0.literals) }
            ?? MatchRank(conditions: 0, literals: 0)
    }
}
