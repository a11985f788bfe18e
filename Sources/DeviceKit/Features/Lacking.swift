public import JSON

/// Says which declared features one device has not, because a part that they need is missing in it.
///
/// A family declares what its devices can have; what a single one lacks stands in none of its topics, and in no
/// message to Home Assistant.
public struct Lacking: Hashable, Sendable {
    /// The features that are not published.
    public var reports: Set<String>
    /// The features that take no command.
    public var commands: Set<String>

    /// Names the features; none by default.
    public init(reports: Set<String> = [], commands: Set<String> = []) {
        self.reports = reports
        self.commands = commands
    }

    /// Whether the device has all that its family declares.
    public var isEmpty: Bool { reports.isEmpty && commands.isEmpty }

    /// What of a feature the device has; nil for nothing.
    public func reduced(_ feature: Feature) -> Feature? {
        guard !isEmpty else { return feature }
        var feature = feature
        if reports.contains(feature.name) { feature.report = nil }
        if commands.contains(feature.name) { feature.command = nil }
        return feature.report == nil && feature.command == nil ? nil : feature
    }

    /// Whether the device has what a presentation shows.
    public func allows(_ presentation: Presentation, of feature: Feature) -> Bool {
        let (speaks, obeys) = (!reports.contains(feature.name), !commands.contains(feature.name))
        return switch presentation.kind {
        case .reading, .happening: speaks
        case .action, .message: obeys
        // What is set by it may be reported by another feature.
        case .control(let control): obeys && !reports.contains(control.state.feature ?? feature.name)
        }
    }

    /// As it is kept over restarts; nil for nothing.
    public var json: JSON.Value? {
        guard !isEmpty else { return nil }
        func texts(_ names: Set<String>) -> JSON.Value { .array(names.sorted().map { .string($0) }) }
        return ["reports": texts(reports), "commands": texts(commands)]
    }

    /// Reads what was kept; what cannot be read is nothing.
    public init(json: JSON.Value?) {
        func names(_ key: String) -> Set<String> { Set(json?[key]?.array?.compactMap(\.string) ?? []) }
        self.init(reports: names("reports"), commands: names("commands"))
    }
}
