/// Compares the settings in force with reloaded settings, outside devices and groups.
struct SettingChanges: Hashable, Sendable {
    /// The paths whose new values can be applied at once.
    private(set) var live: [String] = []
    /// The paths whose new values need a restart.
    private(set) var restartNeeded: [String] = []

    /// - Parameters:
    ///   - values: The values in force.
    ///   - new: The reloaded values.
    init(from values: SettingValues, to new: SettingValues, _ settings: [Setting]) {
        for setting in settings where values[setting.path] != new[setting.path] {
            if setting.needsRestart {
                restartNeeded.append(setting.path)
            } else {
                live.append(setting.path)
            }
        }
    }
}
