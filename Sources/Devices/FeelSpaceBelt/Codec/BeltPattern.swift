/// A vibration pattern by its number in the protocol (`BeltVibrationPattern`, `FSBeltVibration`).
struct BeltPattern: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8
    /// Creates a pattern from its number; the belt supports 0 to 26.
    init(rawValue: UInt8) { self.rawValue = rawValue }

    static let none = BeltPattern(rawValue: 0)
    /// A vibration without pauses.
    static let continuous = BeltPattern(rawValue: 1)
    /// One short pulse per period.
    static let singleShort = BeltPattern(rawValue: 2)
    /// One long pulse per period.
    static let singleLong = BeltPattern(rawValue: 3)
    /// Two short pulses per period.
    static let doubleShort = BeltPattern(rawValue: 4)
    /// Two long pulses per period.
    static let doubleLong = BeltPattern(rawValue: 5)
    /// A wave over motors that the belt selects.
    static let warning = BeltPattern(rawValue: 6)
    static let circleRight = BeltPattern(rawValue: 7)
    static let fadeOut = BeltPattern(rawValue: 8)
    static let destinationReached = BeltPattern(rawValue: 9)
    static let frontCross = BeltPattern(rawValue: 10)
    /// The patterns that show the battery level.
    static let batteryLevels: ClosedRange<UInt8> = 11...26

    /// Returns the pattern of a battery level, as numbered by FSLib-Android: levels 14 and 15 are shown as 13.
    ///
    /// - Parameter level: 0 (empty) to 15 (full).
    static func batteryLevel(_ level: Int) -> BeltPattern {
        BeltPattern(rawValue: batteryLevels.lowerBound + UInt8(clamping: min(level, 13)))
    }

    /// Whether the pattern itself determines which motors vibrate, so that the belt ignores a place in the command.
    var hasOwnMotors: Bool {
        rawValue == 6 || rawValue == 7 || rawValue == 9 || rawValue == 10
            || Self.batteryLevels.contains(rawValue)
    }

    /// The patterns that have a name in MQTT payloads.
    static let named: [(name: String, pattern: BeltPattern)] =
        [
            ("continuous", .continuous), ("single_short", .singleShort), ("single_long", .singleLong),
            ("double_short", .doubleShort), ("double_long", .doubleLong), ("warning", .warning),
            ("circle_right", .circleRight), ("fade_out", .fadeOut),
            ("destination_reached", .destinationReached), ("front_cross", .frontCross),
        ] + (0...15).map { ("battery_level_\($0)", .batteryLevel($0)) }

    /// The name in topics; nil for none.
    var name: String? { Self.named.first { $0.pattern == self }?.name }

    /// Returns the pattern with this name in topics.
    init?(name: String) {
        guard let found = Self.named.first(where: { $0.name == name }) else { return nil }
        self = found.pattern
    }
}
