package import Bluetooth

/// Which radios receive each device, and over which of them the bridge uses it. Pure.
///
/// A radio is identified by its number: 0 is the radio of the host, which already chooses among its adapters, and the
/// others are proxies.
package struct ReceiverTable: Sendable {
    /// The state of a radio with regard to one device.
    package struct Standing: Hashable, Sendable {
        /// Whether the radio is connected to the device.
        package var isConnected: Bool
        /// Whether the radio has a bond with the device. Another radio would need a new bond.
        package var isBonded: Bool
        /// Whether the radio supports no further link.
        package var isFull: Bool

        package init(isConnected: Bool = false, isBonded: Bool = false, isFull: Bool = false) {
            (self.isConnected, self.isBonded, self.isFull) = (isConnected, isBonded, isFull)
        }
    }

    /// The radio to use for a device.
    package enum Choice: Hashable, Sendable {
        case use(Int)
        /// Only this proxy receives the device, which must not use one.
        case proxyOnly(String)
        /// No radio has received the device recently.
        case nobody
    }

    private struct Sighting: Sendable {
        var adapter: String
        var advertisement: Advertisement
        /// The time of the last packet; nil if the device is only known.
        var heardAt: Duration?
        /// Whether the device must advertise again before it counts as received.
        var isStale = false
        /// The number of failed attempts to connect, and the time of the last one.
        var failures = 0
        var failedAt = Duration.zero
    }

    private struct Device: Sendable {
        var sightings: [Int: Sighting] = [:]
        /// The radio whose advertisements are used.
        var reporter: Int?
    }

    /// The number of the radio of the host.
    package static let host = 0
    /// How long an advertisement shows that a radio receives a device.
    static let freshness = Duration.seconds(10)
    /// The same for a radio that has a bond with the device: without it, the device has to be bonded again.
    static let bondedFreshness = Duration.seconds(30)
    /// The advantage of an adapter of the host, in dB: its links are faster, and nothing between the host and the
    /// device can fail.
    static let hostBonus = 10
    /// The advantage of the radio whose advertisements are used, in dB, so that two similar radios do not alternate.
    static let reporterBonus = 6
    /// The disadvantage for each failed attempt to connect, in dB, and the number of attempts that count.
    static let failureMalus = 10
    static let countedFailures = 4
    /// How long a failed attempt counts.
    static let failureTime = Duration.seconds(60)
    /// How long the same data of a device do not count as new. A proxy may forget a device earlier, for lack of space.
    static let repetition = Duration.seconds(30)

    private var devices: [Address: Device] = [:]

    package init() {}

    /// The number of devices.
    package var count: Int { devices.count }

    /// Whether a radio has reported the device.
    package func knows(_ address: Address, by receiver: Int) -> Bool {
        devices[address]?.sightings[receiver] != nil
    }

    /// Records a report of a radio about a device.
    ///
    /// A report is dropped while another radio is the better choice: both receive the same packets, and a proxy delivers
    /// them later. So old data never follow newer data.
    ///
    /// - Returns: Whether the report is used.
    package mutating func heard(
        _ advertisement: Advertisement, over adapter: String, by receiver: Int, at now: Duration,
        standing: (Int, Advertisement) -> Standing
    ) -> Bool {
        var device = devices[advertisement.address] ?? Device()
        var sighting =
            device.sightings[receiver] ?? Sighting(adapter: adapter, advertisement: advertisement)
        (sighting.adapter, sighting.advertisement) = (adapter, advertisement)
        if advertisement.rssi != nil, !advertisement.isCached {
            (sighting.heardAt, sighting.isStale) = (now, false)
        }
        device.sightings[receiver] = sighting
        let best = Self.best(device, at: now, reporter: device.reporter, standing: standing)
        defer { devices[advertisement.address] = device }
        guard best == receiver || best == nil else { return false }
        device.reporter = receiver
        return true
    }

    /// Chooses the radio for a connection or a bond.
    package func choose(
        _ address: Address, mayUseProxy: Bool, at now: Duration,
        standing: (Int, Advertisement) -> Standing
    ) -> Choice {
        guard let device = devices[address] else { return .nobody }
        if mayUseProxy {
            let best = Self.best(device, at: now, reporter: nil, standing: standing)
            return best.map { .use($0) } ?? (device.sightings[Self.host] == nil ? .nobody : .use(Self.host))
        }
        if let own = device.sightings[Self.host],
            Self.isPresent(own, standing(Self.host, own.advertisement), at: now)
        {
            return .use(Self.host)
        }
        let proxies = device.sightings.filter { $0.key != Self.host }
        let others = Device(sightings: proxies)
        guard let best = Self.best(others, at: now, reporter: nil, standing: standing) else { return .nobody }
        return .proxyOnly(proxies[best]?.adapter ?? "")
    }

    /// Records the result of an attempt to connect.
    package mutating func attempted(_ address: Address, by receiver: Int, succeeded: Bool, at now: Duration) {
        guard var sighting = devices[address]?.sightings[receiver] else { return }
        sighting.failures = succeeded ? 0 : Self.failures(sighting, at: now) + 1
        sighting.failedAt = now
        if !succeeded { sighting.isStale = true }
        devices[address]?.sightings[receiver] = sighting
    }

    /// Removes a device that a radio no longer knows.
    ///
    /// - Returns: Whether to report it: no radio knows the device now, and its data may count as new.
    package mutating func forget(_ address: Address, by receiver: Int, at now: Duration) -> Bool {
        let former = devices[address]?.sightings.removeValue(forKey: receiver)
        guard devices[address]?.sightings.isEmpty ?? true else {
            if devices[address]?.reporter == receiver { devices[address]?.reporter = nil }
            return false
        }
        devices[address] = nil
        return receiver == Self.host || former.map { Self.age($0, at: now) > Self.repetition } ?? true
    }

    /// Handles that an adapter no longer receives anything. The devices stay known.
    package mutating func lost(_ adapter: String) {
        for (address, device) in devices {
            for (receiver, sighting) in device.sightings where sighting.adapter == adapter {
                devices[address]?.sightings[receiver]?.isStale = true
                devices[address]?.sightings[receiver]?.advertisement.isConnected = false
                if device.reporter == receiver { devices[address]?.reporter = nil }
            }
        }
    }

    /// Handles that the host no longer has a Bluetooth service, which reports its devices again when it is back.
    package mutating func lostHost(at now: Duration) {
        for address in devices.keys { _ = forget(address, by: Self.host, at: now) }
    }

    // MARK: The choice

    /// The best radio among those that receive the device; nil if none does.
    private static func best(
        _ device: Device, at now: Duration, reporter: Int?,
        standing: (Int, Advertisement) -> Standing
    ) -> Int? {
        var best: (receiver: Int, rank: [Int])?
        // In ascending order, so that the host wins a tie.
        for receiver in device.sightings.keys.sorted() {
            guard let sighting = device.sightings[receiver] else { continue }
            let standing = standing(receiver, sighting.advertisement)
            guard isPresent(sighting, standing, at: now) else { continue }
            let signal =
                (sighting.advertisement.rssi ?? -127) + (receiver == host ? hostBonus : 0)
                + (receiver == reporter ? reporterBonus : 0)
                - failureMalus * failures(sighting, at: now)
            let rank = [
                standing.isConnected ? 1 : 0, standing.isBonded ? 1 : 0, standing.isFull ? 0 : 1, signal,
            ]
            if best.map({ $0.rank.lexicographicallyPrecedes(rank) }) ?? true { best = (receiver, rank) }
        }
        return best?.receiver
    }

    private static func isPresent(_ sighting: Sighting, _ standing: Standing, at now: Duration) -> Bool {
        let limit = standing.isBonded ? bondedFreshness : freshness
        return standing.isConnected || !sighting.isStale && age(sighting, at: now) <= limit
    }

    private static func age(_ sighting: Sighting, at now: Duration) -> Duration {
        sighting.heardAt.map { now - $0 } ?? .seconds(Int.max)
    }

    private static func failures(_ sighting: Sighting, at now: Duration) -> Int {
        now - sighting.failedAt < failureTime ? min(sighting.failures, countedFailures) : 0
    }
}
