package import BridgeContract
package import Claims

/// What keeps a bridge from connecting to a device that it hears.
package struct HoldBack: Hashable, Sendable {
    /// When to ask again.
    package var end: Duration
    /// The adapter that bears no more links; nil where the device is left to another host.
    package var fullAdapter: String?

    package init(end: Duration, fullAdapter: String? = nil) {
        self.end = end
        self.fullAdapter = fullAdapter
    }
}

extension LinkReason {
    package init(_ deference: HostChoice.Deference) {
        self =
            switch deference {
            case .betterOffer: .betterOffer
            case .preferredElsewhere: .preferredElsewhere
            case .lacksBond: .bondMissing
            }
    }
}
