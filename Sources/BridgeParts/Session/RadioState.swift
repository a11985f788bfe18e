package import BridgeContract

/// Whether devices can be connected, as the bridge reports it to the sessions.
package struct RadioState: Hashable, Sendable {
    package enum Obstacle: Hashable, Sendable {
        /// No adapter is ready.
        case adapter
        /// Another program occupies the adapters.
        case held
        /// The Bluetooth service does not run.
        case service
        /// The host has no Bluetooth service, and its Bluetooth proxies cannot be used.
        case proxy
    }

    /// Why no device can be connected; nil if devices can be.
    package var obstacle: Obstacle?
    /// A description of the obstacle for the user, with details.
    package var reason: String?

    package static let ready = RadioState()

    package var isReady: Bool { obstacle == nil }

    /// How the user can remove the obstacle.
    package var advice: String {
        switch obstacle {
        case .adapter, nil: Supervision.radioAdvice
        case .held: Supervision.holderAdvice
        case .service: Supervision.serviceAdvice
        case .proxy: Supervision.proxyProblemAdvice
        }
    }

    /// The obstacle as the code that `connection` reports.
    package var code: LinkReason {
        switch obstacle {
        case .adapter, .proxy, nil: .noAdapter
        case .held: .adapterHeld
        case .service: .bluetoothUnavailable
        }
    }
}
