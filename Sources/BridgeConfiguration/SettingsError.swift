/// One thing that is wrong with the configuration.
package struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
    /// Where it stands: `/etc/tactile-bridge.yaml:3:7`, or an environment variable.
    package var place: String
    /// The keys that lead to it; empty where the text as a whole is meant.
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

/// Says all that is wrong with the configuration, so that it can be repaired in one go.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in the order of the file; never empty.
    package var problems: [SettingsProblem]

    /// One line a problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
