import Logging

/// Runs the bridge until the process is told to stop, and returns when everything has ended in good order.
///
/// - Parameters:
///   - settings: What the configuration says.
///   - log: Decides, at any time, from which level on something is logged.
///   - logger: Where remarks go.
///   - reload: Reads the configuration again.
/// - Throws: ``CommandFailure`` with the exit code; any other error is an internal one.
func runBridge(
    settings: Settings, log: LogControl, logger: Logger, reload: SettingsLoader
) async throws {
    throw CommandFailure(.unavailable, "this version has no way to devices and brokers")
}
