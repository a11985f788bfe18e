import BridgeContract
import Claims

/// What keeps a bridge from connecting to a device that it hears.
struct HoldBack: Hashable, Sendable {
    /// When to ask again.
    var end: Duration
    /// The adapter that bears no more links; nil where the device is left to another host.
    var fullAdapter: String?
}

extension LinkReason {
    init(_ deference: HostChoice.Deference) {
        self =
            switch deference {
            case .betterOffer: .betterOffer
            case .preferredElsewhere: .preferredElsewhere
            case .lacksBond: .bondMissing
            }
    }
}
