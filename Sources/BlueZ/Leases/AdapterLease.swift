/// The lease of an adapter that this program needs: the program that owns the adapter's bus name may use the adapter
/// (see ``AdapterName``).
struct AdapterLease {
    enum State: Hashable {
        /// The owner of the name is not yet known.
        case asked
        /// This program owns the name.
        case owned
        /// The name has no owner, and the bus does not allow this program to own it.
        case unguarded
        /// Another program owns the name.
        case held(AdapterHolder)
    }

    var state = State.asked
    /// Whether the successor (see ``LeaseSuccessor``) may be in the queue for the name.
    var hasSuccessor = false
    /// Whether the bus has rejected a request of this program for the name.
    var isDenied = false
    /// The time at which the current holder appeared, or of the last attempt to replace it.
    var since = Duration.zero

    var holder: AdapterHolder? { if case .held(let holder) = state { holder } else { nil } }

    /// Whether the adapter may be used.
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

    /// Removes all leases after the loss of the bus. The successor may now own the names, if it is still running.
    mutating func lose() {
        (leases, due) = ([:], [])
        impulses?.finish()
        impulses = nil
    }

    /// Returns whether a message is logged for the first time.
    mutating func isNews(_ remark: String) -> Bool { remarks.insert(remark).inserted }
}
