/// Declares that haptic patterns are played by a command that sets the strength.
package struct HapticEntry: Hashable, Sendable {
    /// The feature that has the command.
    package var feature: String
    /// The field for the strength, which is a number or a list of numbers.
    package var field: String
    /// The field's value with which the device does not vibrate.
    package var silent: Decimal
    /// The value for strength 0 on the scale; values of weaker strengths approach it.
    package var weakest: Decimal
    /// The field's value for full strength.
    package var full: Decimal
    /// The shortest interval between two writes.
    package var shortest: Duration

    /// The default shortest interval between two writes. A typical connection interval allows about this rate.
    package static let usualShortest = Duration.milliseconds(50)

    /// Declares the playback of haptic patterns.
    package init(
        feature: String, field: String, silent: Decimal, weakest: Decimal, full: Decimal,
        shortest: Duration = usualShortest
    ) {
        self.feature = feature
        self.field = field
        self.silent = silent
        self.weakest = weakest
        self.full = full
        self.shortest = shortest
    }
}
