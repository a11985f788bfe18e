public import Logging

/// What the bridge can ask of the process that it is.
public protocol HostProcess: Sendable {
    /// How many bytes of memory the process has in use; nil where that cannot be known.
    var memory: Int? { get }
    /// Gives memory that is free back to the system, which may take some milliseconds.
    func returnFreeMemory()
    /// From which level on something is logged; can be changed at any time.
    var logLevel: Logger.Level { get nonmutating set }
}
