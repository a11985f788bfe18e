package import Bluetooth
package import DeviceKit

/// Finds what is new in the advertisements of one device.
package struct BroadcastFilter: Sendable {
    private struct Contents: Hashable, Sendable {
        var services: [UUID: [UInt8]] = [:]
        var companies: [UInt16: [UInt8]] = [:]
    }

    /// The last data from each adapter, by adapter. Data is compared only with the last data from the same adapter: an
    /// adapter that missed the last packets delivers older data, which is not new.
    private var contents: [String: Contents] = [:]
    /// When the device last advertised.
    package private(set) var heardAt: Duration?
    /// When the device last advertised data that differ from its last data.
    private var changedAt: Duration?
    /// The number of packets that were dropped because the device advertised new data too often.
    package private(set) var flooded = 0
    private var allowance = Self.burst
    private var countedAt = Duration.zero

    /// The maximum number of packets with new data: per second (`rate`), and at once (`burst`).
    private static let rate = 20.0
    private static let burst = 40.0
    /// How long after their arrival data count as current, and how long after its last packet a device counts as
    /// advertising.
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
        // Most advertisements repeat the data and differ only in signal strength.
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

    /// Whether the device advertised new data within the last seconds.
    package func isFresh(at now: Duration) -> Bool {
        changedAt.map { now - $0 <= Self.freshness } ?? false
    }

    /// Whether the device advertised anything within the last seconds.
    package func isHeard(at now: Duration) -> Bool {
        heardAt.map { now - $0 <= Self.freshness } ?? false
    }

    /// Makes the next data count as new. Call this when the state machine starts again, or when the host has forgotten
    /// the device, which BlueZ does 30 s after its last advertisement. If the same data arrive after that, they are
    /// from another packet.
    package mutating func reset() { contents = [:] }
}
