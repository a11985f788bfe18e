public import DeviceKit
public import JSON

/// Reads the configuration anew, when a person asks for it.
public protocol ConfigurationSource: Sendable {
    /// Reads and checks the whole configuration; only if all of it is valid, what is not the bridge's own (the log)
    /// is put into force.
    ///
    /// - Throws: ``ConfigurationError`` with all that is wrong; then nothing has changed.
    func reload() async throws(ConfigurationError) -> ReloadedConfiguration
    /// What the configuration says that was read last.
    var backup: ConfigurationBackup { get }
}

/// What a configuration says apart from the defaults, without secrets.
public struct ConfigurationBackup: Hashable, Sendable {
    /// In the shape of the configuration file, devices and groups included: as a file this text is read the same.
    public var settings: JSON.Object
    /// The paths of what is given but not in ``settings``: secrets, and what the host's service manager hands over.
    public var leftOut: [String]

    /// Makes one.
    public init(settings: JSON.Object = [:], leftOut: [String] = []) {
        self.settings = settings
        self.leftOut = leftOut
    }

    /// The paths whose values differ in other settings, in the order of the alphabet.
    ///
    /// A section, a device or a group that only one of them has is one path.
    public func differences(from other: JSON.Object) -> [String] {
        Self.differences(settings, other, prefix: "").sorted()
    }

    private static func differences(_ own: JSON.Object, _ other: JSON.Object, prefix: String) -> [String] {
        // There may be thousands of devices.
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

/// A configuration that was read anew and is valid.
public struct ReloadedConfiguration: Sendable {
    /// What the bridge is told.
    public var settings: BridgeSettings
    /// The families of devices that there are now; nil for those that there were.
    public var families: [any DeviceFamily]?
    /// What is wrong with device files, a line each; the families of these stay as they were.
    public var leftOut: [String] = []
    /// What is in the folders of configuration, device and pattern files and is not read, a line each.
    public var ignored: [String] = []
    /// The settings outside devices and groups whose change takes effect now, by path.
    public var changed: [String]
    /// The settings whose change takes effect only after a restart, by path; ``settings`` has the old values.
    public var restartNeeded: [String]
    /// What is not wrong but probably not meant.
    public var warnings: [String]

    /// Says what was read.
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

/// Says why a configuration is not taken.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong: file, line, key, what was found and what is allowed; never empty.
    public var problems: [String]

    /// Makes an error.
    public init(_ problems: [String]) { self.problems = problems }

    /// One line a problem.
    public var description: String { problems.joined(separator: "\n") }
}
