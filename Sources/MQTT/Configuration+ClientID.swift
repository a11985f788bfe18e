extension Configuration {
    /// The number of random characters at the end of a client id: 50 bits, too many to guess.
    public static let randomLength = 10

    /// The characters for the random end: characters that every broker accepts (MQTT 5, 3.1.3.1), without
    /// similar-looking characters.
    private static let characters = Array("abcdefghijkmnpqrstuvwxyz23456789")

    /// Creates the random end of a client id.
    public static func randomClientIDEnd() -> String {
        String((0..<randomLength).map { _ in characters[Int.random(in: characters.indices)] })
    }

    /// Whether a text has the form of the random end of a client id.
    public static func isRandomClientIDEnd(_ text: String) -> Bool {
        text.count == randomLength && text.allSatisfy(characters.contains)
    }

    /// Sets a client id that other clients cannot guess.
    ///
    /// - Parameters:
    ///   - prefix: Its readable start.
    ///   - end: Its random end.
    public mutating func useRandomClientID(_ prefix: String, end: String) {
        clientIDPrefix = prefix
        clientID = "\(prefix)-\(end)"
    }
}
