/// The lease of an adapter that this program needs: the program that owns the adapter's bus name may use the adapter
/// (see ``AdapterName``).
struct AdapterLease {
    enum State: Hashable {
        /// This program has asked the bus who owns the name, and has no answer yet.
        case asked
        /// This program owns the name.
        case owned
        /// The name has no owner, and the bus does not allow this program to own it. The adapter is used without
        /// protection against other programs.
        case unguarded
        /// Another program owns the name.
        case held(AdapterHolder)
    }

    var state = State.asked
    /// Whether the successor, the process that gets the name when this program dies, may be in the queue for the name
    /// (see ``LeaseSuccessor``).
    var hasSuccessor = false
    /// Whether the bus has rejected a request of this program for the name.
    var isDenied = false
    /// The time at which the current owner appeared, or of the last attempt to replace this owner.
    var since = Duration.zero

    var holder: AdapterHolder? { if case .held(let holder) = state { holder } else { nil } }

    var isUsable: Bool { state == .owned || state == .unguarded }
}

/// The leases of adapters, by their names on the bus; belongs to the loop's thread.
struct LeaseTable {
    private var leases: [String: AdapterLease] = [:]
    /// The adapter names whose leases have to be examined.
    private var due: Set<String> = []
    private var impulses: AsyncStream<Void>.Continuation?
    /// The log messages that were already written, so that each is written once.
    private var remarks: Set<String> = []

    subscript(name: String) -> AdapterLease? {
        get { leases[name] }
        set { leases[name] = newValue }
    }

    /// Sets the adapters that this program needs. The leases of new adapters, and of adapters that are no longer
    /// needed, have to be examined then.
    mutating func update(wanted names: Set<String>) {
        for name in leases.keys where !names.contains(name) { examine(name) }
        for name in names where leases[name] == nil {
            leases[name] = AdapterLease()
            examine(name)
        }
    }

    mutating func examine(_ name: String) {
        due.insert(name)
        impulses?.yield()
    }

    /// Returns a stream that yields when leases have to be examined, and ends with ``lose()``.
    mutating func follow() -> AsyncStream<Void> {
        let (stream, input) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        impulses = input
        if !due.isEmpty { input.yield() }
        return stream
    }

    mutating func nextDue() -> String? {
        let name = due.min()
        return name.flatMap { due.remove($0) }
    }

    /// Removes all leases after the loss of the bus. If the successor is still running, it may now own the names.
    mutating func lose() {
        (leases, due) = ([:], [])
        impulses?.finish()
        impulses = nil
    }

    /// Records a log message; returns whether it was not logged before.
    mutating func isNews(_ remark: String) -> Bool { remarks.insert(remark).inserted }
}
