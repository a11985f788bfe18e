/// What is known of the name of an adapter that this program wants to use.
struct AdapterLease {
    enum State: Hashable {
        /// Nothing yet.
        case asked
        /// It is ours.
        case owned
        /// It has no owner, and the bus does not let this program do so.
        case unguarded
        /// Another program has it.
        case held(AdapterHolder)
    }

    var state = State.asked
    /// Whether the successor may be in the queue.
    var hasSuccessor = false
    /// Whether the bus has refused this program to own the name.
    var isDenied = false
    /// Since when the present holder has it; counted again after each try to take its place.
    var since = Duration.zero

    var holder: AdapterHolder? { if case .held(let holder) = state { holder } else { nil } }

    /// Whether the adapter may be used.
    var isUsable: Bool { state == .owned || state == .unguarded }
}

/// The leases of adapters, by their names on the bus; belongs to the loop's thread.
struct LeaseTable {
    private var leases: [String: AdapterLease] = [:]
    /// The names that are to be examined.
    private var due: Set<String> = []
    private var impulses: AsyncStream<Void>.Continuation?
    /// What was logged already, so that it is logged once.
    private var remarks: Set<String> = []

    subscript(name: String) -> AdapterLease? {
        get { leases[name] }
        set { leases[name] = newValue }
    }

    /// Takes the adapters that this program wants to use now: new ones, and those that it has no use for any more, are due.
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

    /// Yields when names are due, until ``lose()``.
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

    /// The bus is lost, and every name with it; the successor may have them, if it is still there.
    mutating func lose() {
        (leases, due) = ([:], [])
        impulses?.finish()
        impulses = nil
    }

    /// Whether something is to be logged, which was not before.
    mutating func isNews(_ remark: String) -> Bool { remarks.insert(remark).inserted }
}
