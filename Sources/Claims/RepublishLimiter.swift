/// Limits how often this bridge publishes all states of a device again while other bridges publish on the same topics
/// too. Otherwise two conflicting bridges would overload the broker.
package struct RepublishLimiter: Sendable {
    /// The maximum number of publications within ``window``.
    static let limit = 3
    static let window = Duration.seconds(10)

    private var times: [Duration] = []

    package init() {}

    /// Whether this bridge may publish all states again now. If so, this publication is counted.
    package mutating func mayPublish(at now: Duration) -> Bool {
        times.removeAll { now - $0 >= Self.window }
        guard times.count < Self.limit else { return false }
        times.append(now)
        return true
    }

    /// When to publish again; nil for immediately.
    package var next: Duration? { times.count < Self.limit ? nil : times.first.map { $0 + Self.window } }
}
