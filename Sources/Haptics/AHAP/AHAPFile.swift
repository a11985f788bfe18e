public import JSON

/// A pattern in the interchange format of its source platform (AHAP, JSON), and what of the file is not played.
///
/// Read as the format's own player reads it: keys that it does not know are passed over, what is missing has its
/// default, numbers outside their limits are drawn to the nearer one. What cannot be meant is refused with its place.
/// Keys and values are those of Apple's "Representing haptic patterns in AHAP files" and `CHHapticPattern.Key`; the
/// default intensity of 1 and sharpness of 0.5 are this bridge's choice, since the documents name none.
public struct AHAPFile: Hashable, Sendable {
    /// The pattern.
    public var pattern: Pattern
    /// What of the file is not played, one sentence each, with its place.
    public var remarks: [String]
    /// Whether it holds sound too, which is not played.
    public var hasSound: Bool

    /// The version of the format that is known.
    static let version = 1.0

    /// Reads a file's text.
    ///
    /// - Throws: ``HapticsError`` with the place.
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

    /// Reads a file that was parsed already.
    ///
    /// - Throws: ``HapticsError`` with the place.
    public init(_ value: JSON.Value) throws(HapticsError) {
        var reader = AHAPReader()
        pattern = try reader.read(value)
        remarks = reader.remarks
        hasSound = reader.hasSound
    }

    /// Wraps a pattern that came from another kind of file.
    public init(_ pattern: Pattern) {
        self.pattern = pattern
        (remarks, hasSound) = ([], false)
    }
}
