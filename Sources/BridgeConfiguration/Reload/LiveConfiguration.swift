package import BridgeContract
import DeviceKit
import Haptics
package import HostServices
import Synchronization

/// The configuration of the running bridge. Reloads the configuration files and applies the settings of the log.
package final class LiveConfiguration: Sendable {
    private struct State {
        /// The values with which the bridge currently runs. A setting that needs a restart keeps its value from the
        /// start of the bridge.
        var values: SettingValues
        var patterns: Library
        var warnings: [String]
        var families: [any DeviceFamily]
        var backup: ConfigurationBackup
    }

    /// The settings at the start of the bridge.
    package let settings: BridgeSettings

    private let loader: SettingsLoader
    private let log: LogControl
    private let state: Mutex<State>

    /// - Parameters:
    ///   - configuration: The configuration at the start.
    ///   - loader: The loader that read the configuration.
    ///   - log: The control of the log.
    package init(_ configuration: Configuration, loader: SettingsLoader, log: LogControl) {
        self.loader = loader
        self.log = log
        settings = configuration.settings.bridge
        state = Mutex(
            State(
                values: configuration.values, patterns: settings.patterns,
                warnings: configuration.warnings + configuration.ignored,
                families: configuration.families, backup: configuration.backup))
    }

    /// The backup of the newest valid configuration.
    package var backup: ConfigurationBackup { state.withLock(\.backup) }

    /// Reads all sources of settings and the pattern files. The call blocks.
    ///
    /// Changed patterns are reported as a change of the setting `haptics.directory`. Only warnings that are new are
    /// reported.
    ///
    /// - Throws: `ConfigurationError` with all problems. The configuration is then unchanged.
    package func read() throws(ConfigurationError) -> ReloadedConfiguration {
        let new: Configuration
        do {
            new = try loader.load(before: state.withLock { $0.families })
        } catch {
            throw ConfigurationError(error.problems.map(\.description))
        }
        let fileProblems = new.settings.mqtt.fileProblems
        let declared = Setting.all(new.families)
        let settings = new.settings.bridge
        let (changes, warnings) = state.withLock { state in
            let changes = SettingChanges(from: state.values, to: new.values, declared)
            var live = changes.live
            if state.patterns != settings.patterns, !live.contains(Self.patternsPath) {
                live.append(Self.patternsPath)
            }
            let all = new.warnings + new.ignored + fileProblems
            let warnings = all.filter { !state.warnings.contains($0) }
            for path in changes.live { state.values.take(path, from: new.values) }
            (state.patterns, state.warnings) = (settings.patterns, all)
            (state.families, state.backup) = (new.families, new.backup)
            return ((live: live, restart: changes.restartNeeded), warnings)
        }
        // If a request has changed a log setting, the change remains unless the configuration now has a different
        // value.
        if changes.live.contains("log.level") { log.level = new.settings.logLevel }
        if changes.live.contains("log.only") { log.only = new.settings.loggedOnly }
        if changes.live.contains("log.format") { log.format = new.settings.logFormat }
        var reloaded = ReloadedConfiguration(
            settings: settings, families: new.families, changed: changes.live, restartNeeded: changes.restart,
            warnings: warnings)
        reloaded.leftOut = new.leftOut
        reloaded.ignored = new.ignored
        return reloaded
    }

    private static let patternsPath = "haptics.directory"
}
