package import BridgeContract

/// Whether devices can be connected, as a session needs to know it.
package struct RadioState: Hashable, Sendable {
    /// What stands in the way.
    package enum Obstacle: Hashable, Sendable {
        /// No adapter is ready.
        case adapter
        /// Another program has the adapters.
        case held
        /// The Bluetooth service does not run.
        case service
    }

    /// What stands in the way; nil if devices can be connected.
    package var obstacle: Obstacle?
    /// The same in words.
    package var reason: String?

    /// An adapter is ready.
    package static let ready = RadioState()

    /// Whether devices can be connected.
    package var isReady: Bool { obstacle == nil }

    /// What a person can do.
    package var advice: String {
        switch obstacle {
        case .adapter, nil: Supervision.radioAdvice
        case .held: Supervision.holderAdvice
        case .service: Supervision.serviceAdvice
        }
    }

    /// The reason for programs.
    package var code: LinkReason {
        switch obstacle {
        case .adapter, nil: .noAdapter
        case .held: .adapterHeld
        case .service: .bluetoothUnavailable
        }
    }
}
