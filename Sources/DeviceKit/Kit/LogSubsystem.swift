/// The subsystem of a log line: its subject, or the part of the program that writes it.
public enum LogSubsystem: String, Hashable, Sendable, CaseIterable {
    /// Commands and requests with their answers.
    case commands
    /// The links of devices: connecting, online, lost, bonded.
    case links
    /// Messages on the topics of devices.
    case topics
    /// The operations of links, and their values.
    case values
    /// Other actions of the bridge: joining, ownership, configuration.
    case bridge
    /// BlueZ and its adapters.
    case bluez
    /// The connection to the broker.
    case mqtt
    /// The process that makes devices safe if the bridge is gone.
    case guardian
    /// Everything without another subsystem: metrics, heartbeat, suspend of the host.
    case services
}
