/// The subsystem of a log line: its subject, or the part of the program that writes it.
public enum LogSubsystem: String, Hashable, Sendable, CaseIterable {
    /// Commands and requests with their answers.
    case commands
    /// The links of devices: connecting, online, lost, bonded.
    case links
    /// Messages on the topics of devices.
    case topics
    /// Reads, writes, subscriptions and notifications of devices, with their values.
    case values
    /// Other actions of the bridge: joining, ownership, configuration.
    case bridge
    /// The connection to BlueZ, and its adapters.
    case bluez
    /// The connection to the broker.
    case mqtt
    /// The guardian, the process that makes devices safe if the bridge dies.
    case guardian
    /// Everything without another subsystem: metrics, heartbeat, suspend of the host.
    case services
}
