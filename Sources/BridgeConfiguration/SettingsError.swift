/// A problem of the configuration.
package struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    /// The position of the problem: `/etc/tactile-bridge.yaml:3:7`, or an environment variable.
    package var place: String
    /// The keys that lead to the setting, joined with dots; empty for a problem of the whole text.
    package var path: String
    /// What was found and what is allowed.
    package var message: String

    init(_ place: String, _ path: String, _ message: String) {
        self.place = place
        self.path = path
        self.message = message
    }

    /// `/etc/tactile-bridge.yaml:3:7: mqtt.port: found 70000; allowed: a whole number 1...65535`
    package var description: String {
        ([place, path].filter { !$0.isEmpty } + [message]).joined(separator: ": ")
    }
}

/// All problems of the configuration, so that users can fix them together.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, in the order of the file; never empty.
    package var problems: [SettingsProblem]

    /// The problems, one per line.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
