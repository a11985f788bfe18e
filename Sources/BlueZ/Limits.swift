public import DBus

/// Says how long things with Bluetooth may take before they are given up or tried again.
public struct Limits: Hashable, Sendable {
    /// Until a device has answered `Connect`. BlueZ itself waits 40 s and lets nothing else happen meanwhile.
    public var connect = Duration.seconds(8)
    /// From the link to the end of service discovery.
    public var resolve = Duration.seconds(10)
    /// How long required characteristics may come after `ServicesResolved`.
    public var settle = Duration.milliseconds(1500)
    /// How long optional characteristics may come after it.
    public var settleOptional = Duration.milliseconds(250)
    /// For a read, a write or a subscription.
    public var operation = Duration.seconds(10)
    /// How long to wait before an operation that bluetoothd calls `InProgress` is tried again.
    public var retry = Duration.milliseconds(20)
    /// For `Disconnect`; BlueZ takes 2 s for it.
    public var disconnect = Duration.seconds(5)
    /// For bonding, in which a person may have to do something.
    public var pair = Duration.seconds(40)
    /// Until discovery has stopped before a connection.
    public var quiet = Duration.seconds(2)
    /// Until a device whose stale cache was thrown away is heard again.
    public var find = Duration.seconds(15)
    /// How old the last word of a device may be for a connection.
    public var freshness = Duration.seconds(15)
    /// Between attempts to start discovery; and how long bluetoothd may say that it does not discover.
    public var discovery = Duration.seconds(1)
    /// How long an adapter may hear nothing until its discovery is begun anew.
    public var silence = Duration.seconds(30)
    /// What that grows to, doubling each time that it was in vain.
    public var longestSilence = Duration.seconds(300)
    /// For the list of all objects, and other small questions to bluetoothd.
    public var question = Duration.seconds(10)
    /// Between attempts to load the objects or to register the agent.
    public var reload = Duration.milliseconds(500)
    /// How long another program may have an adapter before it is asked to give it up, which only the guardian of a
    /// dead bridge does: longer than that works, so that only one that hangs is still there.
    public var succession = Duration.seconds(90)
    /// Between events about a device of which only the signal strength changes.
    public var advertisementInterval = Duration.seconds(1)
    /// Between attempts to reach the bus.
    public var bus = ReconnectMachine.Backoff()

    /// Makes the limits that suit real devices.
    public init() {}
}
