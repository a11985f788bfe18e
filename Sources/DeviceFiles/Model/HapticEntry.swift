/// Haptic playback by a command that sets the strength.
package struct HapticEntry: Hashable, Sendable {
    /// The feature that has the command.
    package var feature: String
    /// The field for the strength, which is a number or a list of numbers.
    package var field: String
    /// The value for silence.
    package var silent: Decimal
    /// The value that the weakest strength approaches.
    package var weakest: Decimal
    /// The value for full strength.
    package var full: Decimal
    /// The shortest interval between two writes.
    package var shortest: Duration

    /// The default shortest interval: about the rate that a typical connection interval allows.
    package static let usualShortest = Duration.milliseconds(50)

    /// Declares haptic playback.
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
