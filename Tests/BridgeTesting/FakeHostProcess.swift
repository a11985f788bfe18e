public import BridgeCore
public import Logging
import Synchronization

/// A process that a test makes up.
public final class FakeHostProcess: HostProcess {
    private let returns = Mutex(0)
    private let level = Mutex(Logger.Level.info)

    /// Makes a process that has 24 MB in use.
    public init() {}

    /// Always the same.
    public var memory: Int? { 24_000_000 }

    /// How often free memory was given back.
    public var returnCount: Int { returns.withLock(\.self) }

    /// Counts.
    public func returnFreeMemory() { returns.withLock { $0 += 1 } }

    /// What was set last.
    public var logLevel: Logger.Level {
        get { level.withLock(\.self) }
        set { level.withLock { $0 = newValue } }
    }
}
