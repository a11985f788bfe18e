public import DeviceKit
public import JSON

/// Reloads the configuration on request.
public protocol ConfigurationSource: Sendable {
    /// Reads and checks the whole configuration. If all of it is valid, applies the settings of the log, which do not
    /// belong to the bridge.
    ///
    /// - Throws: ``ConfigurationError`` with all problems; then nothing has changed.
    func reload() async throws(ConfigurationError) -> ReloadedConfiguration
    /// The values of the configuration that was read last.
    var backup: ConfigurationBackup { get }
}

/// The values of a configuration that differ from the defaults, without secrets. The request `backup` returns them.
public struct ConfigurationBackup: Hashable, Sendable {
    /// The values in the form of the configuration file, with devices and groups. A file with this text has the same
    /// meaning.
    public var settings: JSON.Object
    /// The paths of values that are set but not in ``settings``: secrets, and values from the host's service manager.
    public var leftOut: [String]

    /// Creates a backup.
    public init(settings: JSON.Object = [:], leftOut: [String] = []) {
        self.settings = settings
        self.leftOut = leftOut
    }

    /// Returns the paths whose values differ from other settings, in alphabetical order.
    ///
    /// A section, a device or a group that only one of the two contains is one path.
    public func differences(from other: JSON.Object) -> [String] {
        Self.differences(settings, other, prefix: "").sorted()
    }

    private static func differences(_ own: JSON.Object, _ other: JSON.Object, prefix: String) -> [String] {
        // A dictionary, because a search through thousands of devices for each device would be slow.
        var others = Dictionary(uniqueKeysWithValues: other.members.map { ($0.key, $0.value) })
        var paths: [String] = []
        for member in own.members {
            let path = prefix + member.key
            let counterpart = others.removeValue(forKey: member.key)
            if let own = member.value.object, let other = counterpart?.object {
                paths += differences(own, other, prefix: path + ".")
            } else if member.value != counterpart {
                paths.append(path)
            }
        }
        return paths + others.keys.map { prefix + $0 }
    }
}

/// A reloaded configuration that is valid.
public struct ReloadedConfiguration: Sendable {
    /// The settings of the bridge.
    public var settings: BridgeSettings
    /// The families of devices; nil if they are unchanged.
    public var families: [any DeviceFamily]?
    /// Problems of device files, one per line; the families of these files stay unchanged.
    public var leftOut: [String] = []
    /// Entries in the folders of configuration, device and pattern files that are not read, one per line.
    public var ignored: [String] = []
    /// The paths of changed settings outside devices and groups that take effect now.
    public var changed: [String]
    /// The paths of changed settings that take effect after a restart; ``settings`` contains the old values.
    public var restartNeeded: [String]
    /// Values that are valid but probably a mistake.
    public var warnings: [String]

    /// Creates a reloaded configuration.
    public init(
        settings: BridgeSettings, families: [any DeviceFamily]? = nil, changed: [String] = [],
        restartNeeded: [String] = [], warnings: [String] = []
    ) {
        self.settings = settings
        self.families = families
        self.changed = changed
        self.restartNeeded = restartNeeded
        self.warnings = warnings
    }
}

/// The reasons why a configuration is rejected.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, each with file, line, key, the value found and the values allowed; never empty.
    public var problems: [String]

    /// Creates an error.
    public init(_ problems: [String]) { self.problems = problems }

    /// The problems, one per line.
    public var description: String { problems.joined(separator: "\n") }
}
