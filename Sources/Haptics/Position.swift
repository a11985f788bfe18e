import JSON

/// A place around the body, in degrees clockwise from the front as seen by the wearer.
public struct Position: Hashable, Sendable {
    /// The angle in degrees, 0 to 359.
    public let degrees: Int

    /// Creates a position from any number of degrees.
    public init(degrees: Int) { self.degrees = ((degrees % 360) + 360) % 360 }

    /// The words that can replace an angle in degrees.
    fileprivate static let words = ["front": 0, "right": 90, "back": 180, "left": 270]
}

extension Node {
    /// The member `position`: an angle, 0 to 359, or one of front, right, back and left; nil if it is absent.
    func position() throws(HapticsError) -> Position? {
        guard let node = try member("position") else { return nil }
        guard let word = node.value.string else {
            return Position(degrees: Int(try node.number(in: 0...359)))
        }
        guard let degrees = Position.words[word] else {
            throw node.mismatch("0...359 degrees, or one of front right back left")
        }
        return Position(degrees: degrees)
    }
}
