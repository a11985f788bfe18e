public import JSON

/// A pattern in Apple's interchange format for haptic patterns (AHAP, JSON), with remarks on the parts that are not
/// played.
///
/// The reader behaves like Apple's player of the format. Unknown keys are ignored, absent values have their default,
/// and numbers out of range are clamped. An invalid entry is ignored; a file without a valid event is rejected. Keys
/// and values are defined by Apple's "Representing haptic patterns in AHAP files" and `CHHapticPattern.Key`. The
/// default intensity of 1 and sharpness of 0.5 are this bridge's choice, because the documents define none. `Position`
/// of an event, in degrees, is an addition of this bridge.
public struct AHAPFile: Hashable, Sendable {
    /// The pattern.
    public var pattern: Pattern
    /// Sentences about parts of the file that are changed or not played; each sentence names the location in the file.
    public var remarks: [String]
    /// Whether the file also contains sound, which is not played.
    public var hasSound: Bool

    /// The supported version of the format.
    static let version = 1.0

    /// Parses the text of a file.
    ///
    /// - Throws: ``HapticsError`` with the location.
    public init(parsing bytes: some Collection<UInt8>) throws(HapticsError) {
        try self.init(JSON.Value(designerFile: bytes))
    }

    /// Reads a parsed file.
    ///
    /// - Throws: ``HapticsError`` with the location.
    public init(_ value: JSON.Value) throws(HapticsError) {
        var reader = AHAPReader()
        pattern = try reader.read(value)
        remarks = reader.remarks.list
        hasSound = reader.hasSound
    }

    /// Creates the value for a pattern that was read from a file in another format, such as a clip.
    public init(_ pattern: Pattern, remarks: [String] = []) {
        self.pattern = pattern
        self.remarks = remarks
        hasSound = false
    }
}
