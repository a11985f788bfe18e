public import DBus

/// Time limits and intervals of Bluetooth operations.
public struct Limits: Hashable, Sendable {
    /// The limit of `Connect`. BlueZ itself waits 40 s and blocks other connection attempts during that time.
    public var connect = Duration.seconds(8)
    /// The limit of service discovery, from the start of the link.
    public var resolve = Duration.seconds(10)
    /// The longest wait for required characteristics after `ServicesResolved`.
    public var settle = Duration.milliseconds(1500)
    /// The longest wait for optional characteristics after `ServicesResolved`.
    public var settleOptional = Duration.milliseconds(250)
    /// The limit of a read, a write or a subscription.
    public var operation = Duration.seconds(10)
    /// The delay before an operation is retried after bluetoothd answered `InProgress`.
    public var retry = Duration.milliseconds(20)
    /// The limit of `Disconnect`; BlueZ itself takes 2 s to disconnect.
    public var disconnect = Duration.seconds(5)
    /// The limit of bonding, which may need an action of the user.
    public var pair = Duration.seconds(40)
    /// The longest wait for discovery to stop before a connection attempt.
    public var quiet = Duration.seconds(2)
    /// The longest wait for the next advertisement of a device whose stale cache was removed.
    public var find = Duration.seconds(15)
    /// The maximum age of a device's last advertisement for a connection attempt.
    public var freshness = Duration.seconds(15)
    /// The delay between attempts to start discovery. Discovery is restarted after the same time if bluetoothd does not
    /// report `Discovering`.
    public var discovery = Duration.seconds(1)
    /// The time without any advertisement after which an adapter's discovery is restarted.
    public var silence = Duration.seconds(30)
    /// The upper limit of ``silence``, which doubles after each restart without effect.
    public var longestSilence = Duration.seconds(300)
    /// The limit of `GetManagedObjects`, and of other short calls to bluetoothd.
    public var question = Duration.seconds(10)
    /// The delay between attempts to load the objects or to register the agent.
    public var reload = Duration.milliseconds(500)
    /// The time for which another program may own an adapter before the client tries to replace it. Only the guardian
    /// of a dead bridge allows replacement, and a guardian releases the adapter in less than this time unless it hangs.
    public var succession = Duration.seconds(90)
    /// The minimum interval between events for a device of which only the signal strength changes.
    public var advertisementInterval = Duration.seconds(1)
    /// The delays between attempts to connect to the bus.
    public var bus = ReconnectMachine.Backoff()

    /// Creates limits that suit real devices.
    public init() {}
}
