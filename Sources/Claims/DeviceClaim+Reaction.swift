extension DeviceClaim {
    /// What to do.
    public enum Reaction: Hashable, Sendable {
        case nothing
        /// Publish all that holds: no other bridge does.
        case speak
        /// Publish all that holds again: another message stands in its place.
        case sayAgain
        /// Say nothing more, and obey stops only: another bridge speaks.
        case beSilent
        /// Ask the device whether the link is there; ``proved(since:at:)`` or ``refuted()`` follows.
        case challenge
        /// Close the link: both bridges had an answer of the device, twice, and this link is the younger one.
        case drop
    }
}
