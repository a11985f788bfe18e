public import BridgeCore
public import Logging
import Synchronization

/// A process that a test makes up.
public final class FakeHostProcess: HostProcess {
    private let level = Mutex(Logger.Level.info)

    /// Makes a process that has 24 MB in use.
    public init() {}

    /// Always the same.
    public var memory: Int? { 24_000_000 }

    /// What was set last.
    public var logLevel: Logger.Level {
        get { level.withLock(\.self) }
        set { level.withLock { $0 = newValue } }
    }
}
