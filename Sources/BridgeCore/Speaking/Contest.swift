/// How often this bridge has said lately that it speaks for a device, against others that say the same: seldom enough
/// that two that cannot agree do not keep the broker busy.
struct Contest: Sendable {
    /// How often it is said within the window.
    static let limit = 3
    static let window = Duration.seconds(10)

    private var sayings: [Duration] = []

    /// Whether it may be said now; if so, that is counted.
    mutating func maySay(at now: Duration) -> Bool {
        sayings.removeAll { now - $0 >= Self.window }
        guard sayings.count < Self.limit else { return false }
        sayings.append(now)
        return true
    }

    /// When it may be said again.
    var next: Duration? { sayings.count < Self.limit ? nil : sayings.first.map { $0 + Self.window } }
}
