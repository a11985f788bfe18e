/// Decides when to restart discovery on an adapter that receives no advertisements.
///
/// bluetoothd may report `Discovering` while the kernel does not discover, and no D-Bus call reveals that. An adapter
/// without any device in range receives nothing either. So the limit doubles after each restart without effect.
package struct SilenceWatch: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var patience: Duration
    private var since = Duration.zero

    /// - Parameters:
    ///   - first: The initial limit of the time without advertisements.
    ///   - longest: The maximum of this limit.
    package init(first: Duration, longest: Duration) {
        (self.first, self.longest, patience) = (first, longest, first)
    }

    /// The time at which discovery is restarted unless an advertisement arrives before then.
    package var deadline: Duration { since + patience }

    /// Records that discovery has started.
    package mutating func began(at now: Duration) { since = now }

    /// Records an advertisement.
    package mutating func heard(at now: Duration) { (since, patience) = (now, first) }

    /// Returns whether to restart discovery; if so, the limit doubles.
    package mutating func isOver(at now: Duration) -> Bool {
        guard now >= deadline else { return false }
        patience = min(patience * 2, longest)
        return true
    }
}
