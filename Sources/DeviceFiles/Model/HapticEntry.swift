/// Declares that haptic patterns are played by a command that sets the strength.
package struct HapticEntry: Hashable, Sendable {
    /// The feature that has the command.
    package var feature: String
    /// The field for the strength, which is a number or a list of numbers.
    package var field: String
    /// The field's value with which the device does not vibrate.
    package var silent: Decimal
    /// The field's value at the lower end of the scale: the weaker a vibration, the nearer its value is to this value.
    package var weakest: Decimal
    /// The field's value for the full strength of the vibration.
    package var full: Decimal
    /// The shortest interval between two writes.
    package var shortest: Duration

    /// The default of the shortest interval between two writes. With a typical Bluetooth connection interval, a device
    /// can receive about one write in this time.
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
