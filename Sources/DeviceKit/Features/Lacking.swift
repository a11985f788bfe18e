public import JSON

/// The declared features that a device lacks, because a characteristic that they need is missing.
///
/// A family declares everything that its devices can have. Features that a device lacks get no topics and no Home
/// Assistant entities.
public struct Lacking: Hashable, Sendable {
    /// The features whose report the device does not have.
    public var reports: Set<String>
    /// The features whose command the device does not have.
    public var commands: Set<String>

    /// The fields of partial reports that the device has sent, by feature. Whether the device has the other fields of
    /// such a report is unknown.
    public var received: [String: Set<String>]

    /// Names the missing features; none by default.
    public init(
        reports: Set<String> = [], commands: Set<String> = [], received: [String: Set<String>] = [:]
    ) {
        self.reports = reports
        self.commands = commands
        self.received = received
    }

    /// Whether the device lacks no feature that its family declares, and has sent no partial report.
    public var isEmpty: Bool { reports.isEmpty && commands.isEmpty && received.isEmpty }

    /// The key under which the bridge stores ``json`` in the device's memory (``DeviceContext/memory``).
    public static let memoryKey = "lacking"

    /// Returns a feature without the report or the command that the device lacks; nil if the device has neither.
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
        case .light: obeys && speaks
        // The report with the current value can belong to another feature than the command.
        case .control(let control): obeys && !reports.contains(control.state.feature ?? feature.name)
        }
    }

    /// Whether the device has sent the field that a presentation shows, if the report is partial.
    public func knows(_ presentation: Presentation, of feature: Feature) -> Bool {
        guard feature.report?.isPartial ?? false else { return true }
        let received = received[feature.name] ?? []
        switch presentation.kind {
        case .reading(let field?): return received.contains(field)
        case .happening(let fields, _, _): return received.isSuperset(of: fields)
        case .reading(nil), .control, .action, .message, .light: return true
        }
    }

    /// The value that the bridge stores, to restore the missing features after a restart; nil if ``isEmpty``.
    public var json: JSON.Value? {
        guard !isEmpty else { return nil }
        func texts(_ names: Set<String>) -> JSON.Value { .array(names.sorted().map { .string($0) }) }
        var object: JSON.Object = ["reports": texts(reports), "commands": texts(commands)]
        if !received.isEmpty {
            let fields = received.sorted { $0.key < $1.key }.map { ($0.key, texts($0.value)) }
            object["received"] = .object(JSON.Object(fields))
        }
        return .object(object)
    }

    /// Reads the stored value of ``json``. Unreadable parts are ignored.
    public init(json: JSON.Value?) {
        func names(_ value: JSON.Value?) -> Set<String> { Set(value?.array?.compactMap(\.string) ?? []) }
        let received = (json?["received"]?.object?.members ?? []).map { ($0.key, names($0.value)) }
        self.init(
            reports: names(json?["reports"]), commands: names(json?["commands"]),
            received: Dictionary(received) { first, _ in first })
    }
}
