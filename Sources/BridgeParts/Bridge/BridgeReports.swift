import BridgeContract
package import DeviceKit
package import JSON

/// What the bridge says of itself: its states, its events, and when those are due that tell of all devices.
package struct BridgeReports: Sendable {
    /// What to do about the states that tell of all devices.
    package enum Step: Hashable, Sendable {
        case publish
        /// Ask again at this time: ``ReportPace``.
        case wait(until: Duration)
    }

    /// The names of the states.
    package static let states = [
        "availability", "info", "devices", "groups", "patterns", Topics.familiesName,
    ]

    /// What tells one value of a state from another: the broker's side keeps what was sent.
    private var hashes: [String: Int] = [:]
    /// The revision of each family whose features have been published.
    private var families: [String: String] = [:]
    private var eventCount = 0
    private var areDevicesNew = false
    private var pace = ReportPace()

    package init() {}

    /// The payload of a state that is to be published; nil if it has this value already.
    package mutating func state(_ name: String, _ value: JSON.Value, again: Bool = false) -> [UInt8]? {
        let payload = value.string.map { Array($0.utf8) } ?? value.bytes
        let hash = payload.quickHash
        return hashes.updateValue(hash, forKey: name) != hash || again ? payload : nil
    }

    /// The payload of an event, with the next number.
    package mutating func event(_ name: String, _ details: JSON.Object, date: TimeStamp) -> [UInt8] {
        eventCount += 1
        var object: JSON.Object = ["event": .string(name)]
        for member in details.members { object[member.key] = member.value }
        object["time"] = .string(date.description)
        object["seq"] = .integer(eventCount)
        return JSON.Value.object(object).bytes
    }

    // MARK: Families

    /// The families whose features have been published.
    package var describedFamilies: some Collection<String> { families.keys }

    /// Notes that the features of a family are to be published.
    ///
    /// - Returns: Whether that is not done yet for this version of the family.
    package mutating func describe(_ family: any DeviceFamily) -> Bool {
        families.updateValue(family.revision, forKey: family.name) != family.revision
    }

    /// Forgets the families of which no device is left.
    ///
    /// - Returns: Their names, in order.
    package mutating func forgetFamilies(besides used: Set<String>) -> [String] {
        let unused = families.keys.filter { !used.contains($0) }.sorted()
        for name in unused { families[name] = nil }
        return unused
    }

    // MARK: All devices

    /// Notes that something is new that the states of all devices tell.
    package mutating func devicesChanged() { areDevicesNew = true }

    /// Decides whether to publish them now; nil if there is nothing new.
    package mutating func takeDevices(at now: Duration) -> Step? {
        guard areDevicesNew else { return nil }
        if let pause = pace.pause(at: now) { return .wait(until: pause) }
        areDevicesNew = false
        return .publish
    }

    /// Notes that so many devices were told of, and how long that took.
    package mutating func published(devices count: Int, from begin: Duration, to end: Duration) {
        pace.published(count, from: begin, to: end)
    }

    /// Has them published at once the next time, whatever that takes.
    package mutating func endPause() { pace = ReportPace() }
}

extension [UInt8] {
    /// What tells one payload from another within this process.
    package var quickHash: Int {
        var hasher = Hasher()
        // In one piece: an array hashes byte by byte.
        withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
