/// Decides when discovery on an adapter that has heard nothing for long is begun anew. A pure value.
///
/// bluetoothd may say that it discovers while its kernel does not, and no call tells. Where nothing is on the air, an
/// adapter hears nothing either; so each new beginning in vain is followed by twice the patience.
package struct SilenceWatch: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    private var patience: Duration
    private var since = Duration.zero

    /// - Parameters:
    ///   - first: How long nothing may be heard.
    ///   - longest: The most that this grows to.
    package init(first: Duration, longest: Duration) {
        (self.first, self.longest, patience) = (first, longest, first)
    }

    /// When nothing has been heard for too long.
    package var deadline: Duration { since + patience }

    /// Discovery runs from now on.
    package mutating func began(at now: Duration) { since = now }

    /// A device was heard.
    package mutating func heard(at now: Duration) { (since, patience) = (now, first) }

    /// Whether discovery is to be begun anew.
    package mutating func isOver(at now: Duration) -> Bool {
        guard now >= deadline else { return false }
        patience = min(patience * 2, longest)
        return true
    }
}
