package import BridgeContract
package import EventLoop

/// The port through which the bridge reloads the configuration. The files are read on a separate thread, because a disk
/// may be in standby, and commands to a robot must not wait for the disk.
package struct ConfigurationReader: ConfigurationSource {
    package let configuration: LiveConfiguration
    package let loop: EventLoop

    package init(configuration: LiveConfiguration, loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    package var backup: ConfigurationBackup { configuration.backup }

    package func reload() async throws(ConfigurationError) -> ReloadedConfiguration {
        let result: Result<ReloadedConfiguration, ConfigurationError> = await withCheckedContinuation {
            continuation in
            do throws(EventLoopError) {
                try loop.offload {
                    Result { () throws(ConfigurationError) in try configuration.read() }
                } then: {
                    continuation.resume(returning: $0)
                }
            } catch {
                continuation.resume(
                    returning: .failure(ConfigurationError(["the configuration cannot be read: \(error)"])))
            }
        }
        return try result.get()
    }
}
