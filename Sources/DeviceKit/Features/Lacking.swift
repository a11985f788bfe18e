public import JSON

/// The declared features that a device lacks, because a characteristic that they need is missing.
///
/// A family declares everything that its devices can have. Features that a device lacks get no topics and no Home
/// Assistant entities.
public struct Lacking: Hashable, Sendable {
    /// The features that are not published.
    public var reports: Set<String>
    /// The features that take no command.
    public var commands: Set<String>

    /// Names the missing features; none by default.
    public init(reports: Set<String> = [], commands: Set<String> = []) {
        self.reports = reports
        self.commands = commands
    }

    /// Whether the device has everything that its family declares.
    public var isEmpty: Bool { reports.isEmpty && commands.isEmpty }

    /// Returns the part of a feature that the device has; nil if it has none of it.
    public func reduced(_ feature: Feature) -> Feature? {
        guard !isEmpty else { return feature }
        var feature = feature
        if reports.contains(feature.name) { feature.report = nil }
        if commands.contains(feature.name) { feature.command = nil }
        return feature.report == nil && feature.command == nil ? nil : feature
    }

    /// Whether the device has everything that a presentation needs.
    public func allows(_ presentation: Presentation, of feature: Feature) -> Bool {
        let (speaks, obeys) = (!reports.contains(feature.name), !commands.contains(feature.name))
        return switch presentation.kind {
        case .reading, .happening: speaks
        case .action, .message: obeys
        // Another feature can report the value that the control sets.
        case .control(let control): obeys && !reports.contains(control.state.feature ?? feature.name)
        }
    }

    /// The value to keep over restarts; nil if nothing is missing.
    public var json: JSON.Value? {
        guard !isEmpty else { return nil }
        func texts(_ names: Set<String>) -> JSON.Value { .array(names.sorted().map { .string($0) }) }
        return ["reports": texts(reports), "commands": texts(commands)]
    }

    /// Reads the kept value. Unreadable parts are ignored.
    public init(json: JSON.Value?) {
        func names(_ key: String) -> Set<String> { Set(json?[key]?.array?.compactMap(\.string) ?? []) }
        self.init(reports: names("reports"), commands: names("commands"))
    }
}
