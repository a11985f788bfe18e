package import Bluetooth

/// The scans under way, and the devices that were in range during them.
package struct ScanDesk: Sendable {
    /// A scan that was requested and is not answered yet.
    private struct Scan: Sendable {
        var pending: PendingRequest
        var start: Duration
        var end: Duration
    }

    /// A finished scan, and the devices it found.
    package struct Result: Sendable {
        package var pending: PendingRequest
        /// The devices that were found: first those of known families, then all others, each sorted by signal strength,
        /// strongest first.
        package var found: [DiscoveryBook.Entry]
    }

    /// The maximum number of scans at the same time.
    package static let limit = 16

    private var scans: [Scan] = []
    private var found = DiscoveryBook()

    package init() {}

    package var isRunning: Bool { !scans.isEmpty }
    package var nextEnd: Duration? { scans.map(\.end).min() }

    /// Starts a scan.
    ///
    /// - Returns: False if too many scans run.
    package mutating func start(_ pending: PendingRequest, from now: Duration, to end: Duration) -> Bool {
        guard scans.count < Self.limit else { return false }
        scans.append(Scan(pending: pending, start: now, end: end))
        return true
    }

    /// Records an advertisement of a device.
    package mutating func hear(
        _ advertisement: Advertisement, _ families: [String], over adapter: String, at now: Duration
    ) {
        guard advertisement.rssi != nil || advertisement.isConnected else { return }
        _ = found.hear(advertisement, families, over: adapter, at: now)
    }

    /// Removes and returns the scans that end by a moment; nil for all.
    package mutating func take(endingBy moment: Duration?) -> [Result] {
        let over = scans.filter { scan in moment.map { scan.end <= $0 } ?? true }
        scans.removeAll { scan in moment.map { scan.end <= $0 } ?? true }
        let results = over.map { scan in
            let found = found.all.filter { $0.heard >= scan.start }
            return Result(pending: scan.pending, found: found.sorted(by: Self.precedes))
        }
        if scans.isEmpty { found = DiscoveryBook() }
        return results
    }

    private static func precedes(_ left: DiscoveryBook.Entry, _ right: DiscoveryBook.Entry) -> Bool {
        guard left.families.isEmpty == right.families.isEmpty else { return right.families.isEmpty }
        let strengths = (left.advertisement.rssi ?? -128, right.advertisement.rssi ?? -128)
        guard strengths.0 == strengths.1 else { return strengths.0 > strengths.1 }
        return left.advertisement.address < right.advertisement.address
    }
}
