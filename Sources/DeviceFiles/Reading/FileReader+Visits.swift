import DeviceKit

// Devices that the bridge connects to from time to time.
extension FileReader {
    /// The keys of actions that go on between two visits.
    private static let lastingKeys = ["every", "will", "stop", "haptic"]
    /// The allowed times between two visits, in seconds: from a minute to a week.
    private static let periods = 60...604_800

    mutating func readVisit(_ members: Members) {
        guard file.connecting == .visit else {
            return members.refuse(["visit"], "the bridge does not visit the device; connect: visit is for it")
        }
        members.refuse(Self.lastingKeys, "the bridge leaves the device after each visit")
        guard
            let node = members.required("visit", "a mapping with every_s"),
            let keys = node.members(["every_s", "at_most_s", "retry_s", "tries"]),
            let value = keys.required("every_s", "a number of seconds, or a setting"),
            let period = period(value)
        else { return }
        var visit = VisitEntry(period)
        if let seconds = keys["at_most_s"]?.integer(5...120) { visit.limit = .seconds(seconds) }
        if let seconds = keys["retry_s"]?.integer(10...86_400) { visit.retry = .seconds(seconds) }
        if let tries = keys["tries"]?.integer(1...10) { visit.tries = tries }
        file.visit = visit
    }

    private func period(_ node: Node) -> VisitEntry.Period? {
        let (low, high) = (Self.periods.lowerBound, Self.periods.upperBound)
        if let setting = file.settings.map(\.field).first(where: { $0.name == node.scalar }) {
            guard case .integer(let range) = setting.type, Self.periods.contains(range.lowerBound),
                range.upperBound <= high, setting.default != nil
            else {
                node.mismatch(
                    allowed: "a setting of the type integer with a default and limits in \(low)...\(high)")
                return nil
            }
            return .setting(setting.name)
        }
        return node.integer(Self.periods).map { .seconds($0) }
    }
}
