package import BridgeContract
package import Claims

/// Why a bridge does not connect to a device in range.
package struct ConnectDeferral: Hashable, Sendable {
    /// When to check again.
    package var end: Duration
    /// The adapter without a free slot; nil if the device is left to another host.
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
