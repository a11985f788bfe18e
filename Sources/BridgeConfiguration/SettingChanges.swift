/// Compares the settings in force with those that were read anew, outside devices and groups.
struct SettingChanges: Hashable, Sendable {
    /// The paths whose new values can be taken up at once.
    private(set) var live: [String] = []
    /// The paths whose new values only a restart takes up.
    private(set) var restartNeeded: [String] = []

    /// - Parameters:
    ///   - values: What is in force.
    ///   - new: What was read.
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
