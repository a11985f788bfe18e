public import BridgeContract
import Synchronization

/// A configuration that a test sets, for the next reload.
public final class FakeConfigurationSource: ConfigurationSource {
    private let result: Mutex<Result<ReloadedConfiguration, ConfigurationError>>
    private let reads = Mutex(0)
    private let kept = Mutex(ConfigurationBackup())

    /// Creates a source with unchanged settings.
    public init(_ settings: BridgeSettings) {
        result = Mutex(.success(ReloadedConfiguration(settings: settings)))
    }

    /// The number of reloads.
    public var readCount: Int { reads.withLock(\.self) }

    /// The configuration in a backup.
    public var backup: ConfigurationBackup {
        get { kept.withLock(\.self) }
        set { kept.withLock { $0 = newValue } }
    }

    /// Sets the result of the next reloads.
    public func set(_ configuration: ReloadedConfiguration) {
        result.withLock { $0 = .success(configuration) }
    }

    /// Makes the next reloads fail.
    public func fail(_ problems: String...) {
        result.withLock { $0 = .failure(ConfigurationError(problems)) }
    }

    /// Returns the configuration that was set last.
    public func reload() async throws(ConfigurationError) -> ReloadedConfiguration {
        reads.withLock { $0 += 1 }
        return try result.withLock(\.self).get()
    }
}
