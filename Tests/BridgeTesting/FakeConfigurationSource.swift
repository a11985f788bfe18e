public import BridgeContract
import Synchronization

/// A configuration that a test makes up: what it says next time it is read.
public final class FakeConfigurationSource: ConfigurationSource {
    private let result: Mutex<Result<ReloadedConfiguration, ConfigurationError>>
    private let reads = Mutex(0)
    private let kept = Mutex(ConfigurationBackup())

    /// Begins with settings that do not change.
    public init(_ settings: BridgeSettings) {
        result = Mutex(.success(ReloadedConfiguration(settings: settings)))
    }

    /// How often it was read.
    public var readCount: Int { reads.withLock(\.self) }

    /// What the configuration says, as a backup has it.
    public var backup: ConfigurationBackup {
        get { kept.withLock(\.self) }
        set { kept.withLock { $0 = newValue } }
    }

    /// Says something else from now on.
    public func set(_ configuration: ReloadedConfiguration) {
        result.withLock { $0 = .success(configuration) }
    }

    /// Is not valid from now on.
    public func fail(_ problems: String...) {
        result.withLock { $0 = .failure(ConfigurationError(problems)) }
    }

    /// Reads what was set last.
    public func reload() async throws(ConfigurationError) -> ReloadedConfiguration {
        reads.withLock { $0 += 1 }
        return try result.withLock(\.self).get()
    }
}
