package import Bluetooth
public import DBus

/// Says which Bluetooth a ``Client`` uses, and how.
public struct Settings: Sendable {
    /// The bus on which bluetoothd is.
    public var bus: DBus.Address
    /// The adapters that may be used, each by its name such as `hci0` or by its address; empty for all. Names may change
    /// when the host starts.
    public var adapters: Set<String>
    /// Whether adapters that are found switched off are switched on. Off by default: one that is off was switched
    /// off on purpose, and bluetoothd switches them on by itself (`AutoEnable`). A radio that rfkill blocks stays off.
    public var switchesAdaptersOn = false
    /// How adapters are leased, so that one program uses each: the client waits for an adapter that another program
    /// has. Nil for a program that only looks.
    public var leases: LeaseSettings?
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

    /// Whether an adapter may be used as far as ``adapters`` goes.
    func names(_ adapter: Adapter) -> Bool {
        adapters.isEmpty || adapters.contains { Self.isName($0, of: adapter.name, adapter.address) }
    }

    /// The entries of ``adapters`` that none of the adapters fits, in order.
    func absent(among present: some Collection<Adapter>) -> [String] {
        adapters.filter { name in !present.contains { Self.isName(name, of: $0.name, $0.address) } }.sorted()
    }

    /// Whether an entry of ``adapters`` names an adapter of this name and address.
    package static func isName(_ entry: String, of name: String, _ address: Bluetooth.Address?) -> Bool {
        Bluetooth.Address(entry).map { $0 == address } ?? (entry == name)
    }
}
