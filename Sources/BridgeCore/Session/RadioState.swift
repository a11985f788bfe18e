import BridgeContract

/// Whether devices can be connected, as a session needs to know it.
struct RadioState: Hashable, Sendable {
    /// What stands in the way.
    enum Obstacle: Hashable, Sendable {
        /// No adapter is ready.
        case adapter
        /// Another program has the adapters.
        case held
        /// The Bluetooth service does not run.
        case service
    }

    /// What stands in the way; nil if devices can be connected.
    var obstacle: Obstacle?
    /// The same in words.
    var reason: String?

    /// An adapter is ready.
    static let ready = RadioState()

    /// Whether devices can be connected.
    var isReady: Bool { obstacle == nil }

    /// What a person can do.
    var advice: String {
        switch obstacle {
        case .adapter, nil: Supervision.radioAdvice
        case .held: Supervision.holderAdvice
        case .service: Supervision.serviceAdvice
        }
    }

    /// The reason for programs.
    var code: LinkReason {
        switch obstacle {
        case .adapter, nil: .noAdapter
        case .held: .adapterHeld
        case .service: .bluetoothUnavailable
        }
    }
}
