/// What is known of the name of an adapter that this program wants to use.
struct Claim {
    enum State: Hashable {
        /// Nothing yet.
        case asked
        /// It is ours.
        case owned
        /// It has no owner, and the bus does not let this program do so.
        case unguarded
        /// Another program has it.
        case held(AdapterHolder)

        var holder: AdapterHolder? { if case .held(let holder) = self { holder } else { nil } }
    }

    var state = State.asked
    /// Whether the successor may be in the queue.
    var hasSuccessor = false
    /// Since when the present holder has it; counted anew after each try to take its place.
    var since = Duration.zero

    var holder: AdapterHolder? { state.holder }

    /// Whether the adapter may be used.
    var isUsable: Bool { state == .owned || state == .unguarded }
}
