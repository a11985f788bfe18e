/// The differences between the current settings and reloaded settings, outside `devices` and `groups`.
struct SettingChanges: Hashable, Sendable {
    /// The paths of changed settings whose new values can be applied immediately.
    private(set) var live: [String] = []
    /// The paths of changed settings whose new values apply only after a restart of the bridge.
    private(set) var restartNeeded: [String] = []

    /// - Parameters:
    ///   - values: The current values.
    ///   - new: The reloaded values.
    init(from values: SettingValues, to new: SettingValues, _ settings: [Setting]) {
        for setting in settings where values[setting.path] != new[setting.path] {
            if setting.needsRestart, !Self.isReadAgain(setting.path, values, new) {
                restartNeeded.append(setting.path)
            } else {
                live.append(setting.path)
            }
        }
    }

    /// Whether the value comes from the same file as before. Each connection to the broker reads the password file again.
    private static func isReadAgain(_ path: String, _ values: SettingValues, _ new: SettingValues) -> Bool {
        guard path == "mqtt.password", case .content = new.origin(path) else { return false }
        return values.origin(path) == new.origin(path)
    }
}
