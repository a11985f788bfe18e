import Bluetooth
import DBus

/// The adapters that this program may use, and the readiness that was last reported to listeners. A value without side
/// effects.
struct AdapterTable {
    /// A change of an adapter's readiness.
    enum Change: Hashable {
        case ready
        /// Another program took over the adapter. The adapter still has this program's links, which must be
        /// disconnected cleanly.
        case taken
        case lost(reason: String)
    }

    private let settings: Settings
    /// The adapters that are allowed and switched on.
    private(set) var usable: Set<ObjectPath> = []
    /// The names of the adapters that this program may use because no other program owns them (see ``AdapterLease``).
    private(set) var leased: Set<String> = []
    /// The names of adapters that support no further links; for a device that several adapters receive, the other
    /// adapters are preferred.
    var full: Set<String> = []
    /// The adapters that were last reported to the listeners as ready.
    private(set) var ready: Set<ObjectPath> = []
    /// The adapters in the settings that bluetoothd does not have, as written in the settings.
    private(set) var absent: [String] = []

    init(_ settings: Settings) { self.settings = settings }

    /// Whether the settings allow the adapter.
    func isWanted(_ adapter: Adapter) -> Bool { settings.names(adapter) }

    /// Whether the settings allow the adapter, and no other program owns it.
    func isAllowed(_ adapter: Adapter) -> Bool {
        isWanted(adapter) && (settings.leases == nil || leased.contains(adapter.name))
    }

    func isUsable(_ adapter: Adapter) -> Bool { adapter.isPowered && isAllowed(adapter) }

    /// Applies a change of the adapters, or of the leases.
    mutating func update(_ adapters: some Collection<Adapter>, leased: Set<String>? = nil) {
        if let leased { self.leased = leased }
        usable = Set(adapters.filter { isUsable($0) }.map(\.path))
    }

    /// Updates an adapter's readiness; returns the change, or nil if there is none.
    mutating func updateReadiness(of path: ObjectPath, now: Adapter?) -> Change? {
        let isReady = now.map { isUsable($0) } ?? false
        guard isReady != ready.contains(path) else { return nil }
        guard !isReady else {
            ready.insert(path)
            return .ready
        }
        ready.remove(path)
        guard let now else { return .lost(reason: "the adapter was removed") }
        return now.isPowered ? .taken : .lost(reason: "the adapter was switched off")
    }

    /// Applies the list of present adapters. Returns the newly absent adapters; nil if the list of absent adapters has
    /// not changed.
    mutating func updateAbsent(among adapters: (some Collection<Adapter>)?) -> [String]? {
        let now = adapters.map { settings.absent(among: $0) } ?? []
        guard now != absent else { return nil }
        defer { absent = now }
        return now.filter { !absent.contains($0) }
    }

    /// Removes all adapters after the loss of bluetoothd; returns the adapters that were ready.
    mutating func serviceLost() -> [ObjectPath] {
        defer { (ready, usable) = ([], []) }
        return ready.sorted()
    }
}
