public import Bluetooth
public import DBus

/// The settings of a ``Client``.
public struct Settings: Sendable {
    /// The bus with bluetoothd.
    public var bus: DBus.Address
    /// The adapters that may be used, each by its name such as `hci0` or by its address; empty for all. Names may
    /// change when the host boots.
    public var adapters: Set<String>
    /// Whether the client switches on adapters that it finds switched off. Off by default: bluetoothd switches adapters
    /// on automatically (`AutoEnable`), so an adapter that is off was switched off on purpose. A radio blocked by
    /// rfkill stays off.
    public var switchesAdaptersOn = false
    /// The lease settings; nil for a program that only observes. With leases only one program uses each adapter: the
    /// client waits for an adapter that another program owns.
    public var leases: LeaseSettings?
    /// In which cases notifications arrive through acquired sockets instead of as signals.
    public var acquisition = Acquisition.automatic
    /// Whether the client registers a pairing agent. False for a program that only observes while another program
    /// answers pairing requests.
    public var answersPairing = true
    /// The object path of the pairing agent.
    public var agentPath: ObjectPath = "/tactile_bridge/agent"
    /// The capability of the pairing agent, in BlueZ's terms (Agent1, `RegisterAgent`).
    public var agentCapability = "NoInputNoOutput"
    /// The time limits.
    public var limits = Limits()

    /// Creates settings.
    public init(bus: DBus.Address = .system, adapters: Set<String> = []) {
        self.bus = bus
        self.adapters = adapters
    }

    func names(_ adapter: Adapter) -> Bool {
        adapters.isEmpty || adapters.contains { Self.isName($0, of: adapter.name, adapter.address) }
    }

    /// The entries of ``adapters`` that match none of the present adapters, sorted. Proxies are no adapters of BlueZ.
    func absent(among present: some Collection<Adapter>) -> [String] {
        adapters.filter { name in
            !Bluetooth.AdapterName.isProxy(name)
                && !present.contains { Self.isName(name, of: $0.name, $0.address) }
        }.sorted()
    }

    /// Whether an entry of ``adapters`` matches this name or address.
    package static func isName(_ entry: String, of name: String, _ address: Bluetooth.Address?) -> Bool {
        Bluetooth.Address(entry).map { $0 == address } ?? (entry == name)
    }
}
