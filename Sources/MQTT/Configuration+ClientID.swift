extension Configuration {
    /// How many random characters a client id ends in: 50 bits, which cannot be guessed by trying.
    public static let randomLength = 10

    /// The characters that they are taken from: those that every broker accepts (MQTT 5, 3.1.3.1), without look-alikes.
    private static let characters = Array("abcdefghijkmnpqrstuvwxyz23456789")

    /// Makes the random end of a client id.
    public static func randomClientIDEnd() -> String {
        String((0..<randomLength).map { _ in characters[Int.random(in: characters.indices)] })
    }

    /// Whether a text can be the random end of a client id.
    public static func isRandomClientIDEnd(_ text: String) -> Bool {
        text.count == randomLength && text.allSatisfy(characters.contains)
    }

    /// Uses a client id that others cannot guess.
    ///
    /// - Parameters:
    ///   - prefix: What it starts with, for people.
    ///   - end: Its random end.
    public mutating func useRandomClientID(_ prefix: String, end: String) {
        clientIDPrefix = prefix
        clientID = "\(prefix)-\(end)"
    }
}
