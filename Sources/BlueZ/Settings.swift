public import DBus

/// Says which Bluetooth a ``Client`` uses, and how.
public struct Settings: Sendable {
    /// The bus on which bluetoothd is.
    public var bus: DBus.Address
    /// The names of the adapters that may be used, such as `hci0`; empty for all.
    public var adapters: Set<String>
    /// Whether adapters that are found switched off are switched on. Off by default: one that is off was switched
    /// off on purpose, and bluetoothd switches them on by itself (`AutoEnable`). A radio that rfkill blocks stays off.
    public var switchesAdaptersOn = false
    /// How adapters are claimed, so that one program uses each: an adapter that another one has is waited for. Nil for
    /// a program that only looks.
    public var claims: ClaimSettings?
    /// Whether notifications come through an acquired socket instead of signals: fewer steps, nothing doubled by
    /// other programs; but before BlueZ 5.84 a disconnect during the call can crash bluetoothd.
    public var acquiresNotifications = false
    /// Whether a pairing agent is registered. Not for a program that only looks, beside one that answers.
    public var answersPairing = true
    /// Where the pairing agent is on the bus.
    public var agentPath: ObjectPath = "/tactile_bridge/agent"
    /// What the pairing agent says it can do, in BlueZ's words (Agent1, `RegisterAgent`).
    public var agentCapability = "NoInputNoOutput"
    /// How long things may take.
    public var limits = Limits()

    /// Makes settings.
    public init(bus: DBus.Address = .system, adapters: Set<String> = []) {
        self.bus = bus
        self.adapters = adapters
    }
}
