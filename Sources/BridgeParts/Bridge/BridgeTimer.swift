/// The timers of the bridge. Each case states what happens when its timer expires.
package enum BridgeTimer: Hashable, Sendable {
    /// The time in which devices may join is over.
    case permit
    /// Metrics are due.
    case stats
    /// The bridge repeats its report that it is online.
    case heartbeat
    /// The messages that ``TopicRouter`` held back to limit their rate are handled.
    case intake
    /// The next periodic echo (``Echoes``) is due, while a robot is connected.
    case echo
    /// Another marker is due: an echo whose return shows that all retained messages have arrived.
    case marker
    /// The broker connection on which messages piled up is replaced.
    case renewal
    /// The retained status messages of other bridges become invalid, unless these bridges have published them again.
    case patience
    /// The devices of an offline bridge are taken over.
    case orphans
    /// The names of devices and groups are compared with the names of other bridges' families, which are reserved.
    case families
    /// The wait for an answer of another process with this bridge's id is over.
    case twin
    /// New bridges are informed that this bridge is online.
    case answer
    /// Devices without a link are announced to Home Assistant.
    case announcements
    /// A failed save is retried.
    case saving
    /// The events of a recording are written to its file, or its time is over.
    case recording
    /// A scan ends.
    case scan
    /// The states that list all devices are published.
    case reports
    /// The states of groups are published.
    case groups
    /// Free heap memory is returned if all devices are idle.
    case rest
    case log
    /// A Bluetooth proxy that no other bridge uses is used.
    case proxies
}
