public import JSON

/// A pattern in the interchange format of its source platform (AHAP, JSON), with remarks on the parts that are not
/// played.
///
/// The reader follows the format's own player. Unknown keys are ignored, absent values have their default, and numbers
/// out of range are clamped. Invalid values are rejected with their location. Keys and values are defined by Apple's
/// "Representing haptic patterns in AHAP files" and `CHHapticPattern.Key`. The default intensity of 1 and sharpness of
/// 0.5 are this bridge's choice, because the documents define none.
public struct AHAPFile: Hashable, Sendable {
    /// The pattern.
    public var pattern: Pattern
    /// The parts of the file that are not played, as one sentence each, with their location.
    public var remarks: [String]
    /// Whether the file also contains sound, which is not played.
    public var hasSound: Bool

    /// The supported version of the format.
    static let version = 1.0

    /// Parses the text of a file.
    ///
    /// - Throws: ``HapticsError`` with the location.
    public init(parsing bytes: some Collection<UInt8>) throws(HapticsError) {
        let value: JSON.Value
        do {
            value = try JSON.Value(parsing: bytes)
        } catch {
            let place = error.path.isEmpty ? "byte \(error.offset)" : error.path
            throw HapticsError(.invalid, place, "not valid JSON: \(error.reason), at byte \(error.offset)")
        }
        try self.init(value)
    }

    /// Reads a parsed file.
    ///
    /// - Throws: ``HapticsError`` with the location.
    public init(_ value: JSON.Value) throws(HapticsError) {
        var reader = AHAPReader()
        pattern = try reader.read(value)
        remarks = reader.remarks
        hasSound = reader.hasSound
    }

    /// Creates a file from a pattern of a different format.
    public init(_ pattern: Pattern) {
        self.pattern = pattern
        (remarks, hasSound) = ([], false)
    }
}
