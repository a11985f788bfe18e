package import Bluetooth
package import DeviceKit

/// Finds what is new in the advertisements of one device.
package struct BroadcastFilter: Sendable {
    private struct Contents: Hashable, Sendable {
        var services: [UUID: [UInt8]] = [:]
        var companies: [UInt16: [UInt8]] = [:]
    }

    /// The last data from each adapter: the data of an adapter that missed the last packets is not new.
    private var contents: [String: Contents] = [:]
    /// When the device last advertised.
    package private(set) var heardAt: Duration?
    /// When it last advertised new data.
    private var changedAt: Duration?
    /// The number of packets that were dropped because there were too many.
    package private(set) var flooded = 0
    private var allowance = Self.burst
    private var countedAt = Duration.zero

    /// The most packets a second, and at once.
    private static let rate = 20.0
    private static let burst = 40.0
    /// How long the data of a packet is new.
    private static let freshness = Duration.seconds(3)

    package init() {}

    /// Handles an advertisement.
    ///
    /// - Parameter services: The services whose data the family uses.
    /// - Returns: The changed data; nil if nothing has changed.
    package mutating func changes(
        in advertisement: Advertisement, over adapter: String, using services: Set<UUID>, at now: Duration
    ) -> Broadcast? {
        if advertisement.rssi != nil { heardAt = now }
        let former = contents[adapter] ?? Contents()
        // Most advertisements only have another signal strength.
        guard
            advertisement.serviceData != former.services
                || advertisement.manufacturerData != former.companies
        else { return nil }
        let broadcast = Broadcast(
            serviceData: advertisement.serviceData.filter {
                services.contains($0.key) && former.services[$0.key] != $0.value
            },
            manufacturerData: advertisement.manufacturerData.filter { former.companies[$0.key] != $0.value },
            rssi: advertisement.rssi, isCached: advertisement.isCached)
        let isEmpty = broadcast.serviceData.isEmpty && broadcast.manufacturerData.isEmpty
        guard isEmpty || admits(at: now) else { return nil }
        contents[adapter] = Contents(
            services: advertisement.serviceData, companies: advertisement.manufacturerData)
        guard !isEmpty else { return nil }
        if !advertisement.isCached { changedAt = now }
        return broadcast
    }

    private mutating func admits(at now: Duration) -> Bool {
        allowance = min(Self.burst, allowance + Self.rate * ((now - countedAt) / .seconds(1)))
        countedAt = now
        guard allowance >= 1 else {
            flooded += 1
            return false
        }
        allowance -= 1
        return true
    }

    /// Whether the last data has just arrived.
    package func isFresh(at now: Duration) -> Bool {
        changedAt.map { now - $0 <= Self.freshness } ?? false
    }

    /// Whether the device has just advertised.
    package func isHeard(at now: Duration) -> Bool {
        heardAt.map { now - $0 <= Self.freshness } ?? false
    }

    /// Makes the next data new: the state machine starts again, or the host has forgotten the device. BlueZ does so
    /// 30 s after its last advertisement; the same data is then another packet.
    package mutating func reset() { contents = [:] }
}
