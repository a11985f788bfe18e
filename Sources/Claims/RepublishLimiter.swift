/// Limits how often this bridge publishes all states of a device again, against others that publish there too: so two
/// that cannot agree do not keep the broker busy.
package struct RepublishLimiter: Sendable {
    /// How often within the window.
    static let limit = 3
    static let window = Duration.seconds(10)

    private var times: [Duration] = []

    package init() {}

    /// Whether it may be published now; if so, that is counted.
    package mutating func mayPublish(at now: Duration) -> Bool {
        times.removeAll { now - $0 >= Self.window }
        guard times.count < Self.limit else { return false }
        times.append(now)
        return true
    }

    /// When it may be published again; nil for now.
    package var next: Duration? { times.count < Self.limit ? nil : times.first.map { $0 + Self.window } }
}
