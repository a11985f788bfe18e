/// A kind of lines of the log: what they are about, or the part of the program that they come from.
public enum LogSubsystem: String, Hashable, Sendable, CaseIterable {
    /// Commands and requests with their answers.
    case commands
    /// The links of devices: connecting, online, lost, bonded.
    case links
    /// What is published on the topics of devices.
    case topics
    /// The values that a link carries, and its operations.
    case values
    /// What else the bridge does: joining, ownership, configuration.
    case bridge
    /// BlueZ and its adapters.
    case bluez
    /// The connection to the broker.
    case mqtt
    /// The process that makes devices safe when the bridge is gone.
    case guardian
    /// Everything else: metrics, heartbeat, the host's sleep.
    case services
}
