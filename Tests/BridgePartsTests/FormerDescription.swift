import Testing

/// How long the description of a family was when it had prose only, kept once for each device.
struct FormerDescription: Sendable, CustomTestStringConvertible {
    var family: String
    var bytes: Int
    /// The features that it did not have.
    var newer: Set<String>

    var testDescription: String { family }

    static let all = [
        FormerDescription(
            family: "belt", bytes: 18_943,
            newer: ["error_log", "calibration", "raw_values", "gatt", "vibration"]),
        FormerDescription(family: "robot", bytes: 7_402, newer: []),
    ]
}
