import Bluetooth
import DBus

/// Which adapters may be used, and what listeners know of that. Pure.
struct AdapterTable {
    /// What became of an adapter.
    enum Change: Hashable {
        case ready
        /// Another program has it. Links on it are still there, to be disconnected cleanly.
        case taken
        case lost(reason: String)
    }

    private let settings: Settings
    /// The adapters that are allowed and switched on.
    private(set) var usable: Set<ObjectPath> = []
    /// The names of those that this program may use as far as other programs go.
    private(set) var leased: Set<String> = []
    /// The names of those that support no further links: others that receive a device come before them.
    var full: Set<String> = []
    /// The adapters that were reported as ready.
    private(set) var ready: Set<ObjectPath> = []
    /// The adapters that the settings name, as they name them, and bluetoothd does not have.
    private(set) var absent: [String] = []

    init(_ settings: Settings) { self.settings = settings }

    /// Whether the settings name the adapter.
    func isWanted(_ adapter: Adapter) -> Bool { settings.names(adapter) }

    /// Whether the settings name the adapter, and no other program has it.
    func isAllowed(_ adapter: Adapter) -> Bool {
        isWanted(adapter) && (settings.leases == nil || leased.contains(adapter.name))
    }

    func isUsable(_ adapter: Adapter) -> Bool { adapter.isPowered && isAllowed(adapter) }

    /// Enters a change of the adapters, or of the leases.
    mutating func update(_ adapters: some Collection<Adapter>, leased: Set<String>? = nil) {
        if let leased { self.leased = leased }
        usable = Set(adapters.filter { isUsable($0) }.map(\.path))
    }

    /// Enters whether an adapter can be used now; returns what is news.
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

    /// Enters which adapters there are; returns the ones that are absent from now on, nil if nothing has changed.
    mutating func updateAbsent(among adapters: (some Collection<Adapter>)?) -> [String]? {
        let now = adapters.map { settings.absent(among: $0) } ?? []
        guard now != absent else { return nil }
        defer { absent = now }
        return now.filter { !absent.contains($0) }
    }

    /// bluetoothd is gone, and its adapters with it; returns the ones that were ready.
    mutating func serviceLost() -> [ObjectPath] {
        defer { (ready, usable) = ([], []) }
        return ready.sorted()
    }
}
