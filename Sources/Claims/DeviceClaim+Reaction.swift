extension DeviceClaim {
    /// What the bridge must do after an input.
    public enum Reaction: Hashable, Sendable {
        case nothing
        /// Publish all states, because no other bridge publishes them.
        case republish
        /// Publish all states again, because another message has replaced them.
        case sayAgain
        /// Publish nothing more, and obey stops only: another bridge owns the topics.
        case beSilent
        /// Prove this bridge's link by a read from the device; ``proved(since:at:)`` or ``refuted()`` follows.
        case challenge
        /// Close the link: the device answered reads of both bridges, so both have a working link, and this bridge's
        /// link is the newer one.
        case drop
    }
}
