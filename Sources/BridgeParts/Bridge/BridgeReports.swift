import BridgeContract
package import DeviceKit
package import JSON

/// The states and events that the bridge publishes about itself, and the schedule of the states that list all devices.
package struct BridgeReports: Sendable {
    /// What to do now about the states that list all devices.
    package enum Step: Hashable, Sendable {
        case publish
        /// The pause that ``ReportPace`` requires is not over: check again at this time.
        case wait(until: Duration)
    }

    /// The names of the bridge's states, as in their topics.
    package static let states = [
        "availability", "info", "devices", "groups", "patterns", Topics.familiesName,
    ]

    /// A hash of the last value of each state. The broker connection keeps the values.
    private var hashes: [String: Int] = [:]
    /// The families whose features are published, each with the revision that is published.
    private var families: [String: String] = [:]
    private var eventCount = 0
    private var areDevicesNew = false
    private var pace = ReportPace()

    package init() {}

    /// Returns the payload of a state to be published; nil if the value is unchanged.
    package mutating func state(_ name: String, _ value: JSON.Value, again: Bool = false) -> [UInt8]? {
        let payload = value.string.map { Array($0.utf8) } ?? value.bytes
        let hash = payload.quickHash
        return hashes.updateValue(hash, forKey: name) != hash || again ? payload : nil
    }

    /// Forgets a state that is cleared.
    package mutating func forget(_ name: String) { hashes[name] = nil }

    /// Returns the payload of an event and increments the sequence number.
    package mutating func event(_ name: String, _ details: JSON.Object, date: TimeStamp) -> [UInt8] {
        eventCount += 1
        var object: JSON.Object = ["event": .string(name)]
        for member in details.members { object[member.key] = member.value }
        object["time"] = .string(date.description)
        object["seq"] = .integer(eventCount)
        return JSON.Value.object(object).bytes
    }

    // MARK: Families

    package var describedFamilies: some Collection<String> { families.keys }

    /// Records that the features of a family are published.
    ///
    /// - Returns: Whether this revision of the family is new.
    package mutating func describe(_ family: any DeviceFamily) -> Bool {
        families.updateValue(family.revision, forKey: family.name) != family.revision
    }

    /// Removes the families without devices, whose published features must be cleared.
    ///
    /// - Returns: Their names, sorted.
    package mutating func forgetFamilies(besides used: Set<String>) -> [String] {
        let unused = families.keys.filter { !used.contains($0) }.sorted()
        for name in unused { families[name] = nil }
        return unused
    }

    // MARK: States that list all devices

    /// Records that a state that lists all devices has changed.
    package mutating func devicesChanged() { areDevicesNew = true }

    /// Decides whether to publish the states that list all devices now; nil if nothing has changed.
    package mutating func takeDevices(at now: Duration) -> Step? {
        guard areDevicesNew else { return nil }
        if let pause = pace.pause(at: now) { return .wait(until: pause) }
        areDevicesNew = false
        return .publish
    }

    /// Records the number of listed devices, and the time that publishing the list took.
    package mutating func published(devices count: Int, from begin: Duration, to end: Duration) {
        pace.published(count, from: begin, to: end)
    }

    /// Ends the pause after a publication, so that the states that list all devices are next published immediately.
    package mutating func endPause() { pace = ReportPace() }
}

extension [UInt8] {
    /// A hash that distinguishes payloads within this process.
    package var quickHash: Int {
        var hasher = Hasher()
        // The bytes are hashed in one piece, because an array hashes byte by byte.
        withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
