/// How a device plays patterns: by a command whose field is the strength.
package struct HapticEntry: Hashable, Sendable {
    /// The feature that takes the command.
    package var feature: String
    /// The field, a number or a list of numbers, that takes the strength.
    package var field: String
    /// The value that is written for silence.
    package var silent: Decimal
    /// The value that the weakest strength comes near.
    package var weakest: Decimal
    /// The value for full strength.
    package var full: Decimal
    /// The shortest time between two writes.
    package var shortest: Duration

    /// The usual shortest time: about what a link with an ordinary connection interval carries.
    package static let usualShortest = Duration.milliseconds(50)

    /// Declares how patterns are played.
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
