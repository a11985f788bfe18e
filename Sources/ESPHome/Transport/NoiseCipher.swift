/// The key for one direction of a connection, with a counter of the messages (Noise Protocol Framework, 5.1).
struct NoiseCipher: Sendable {
    private let key: [UInt8]
    private var counter: UInt64 = 0

    init(key: [UInt8]) { self.key = key }

    mutating func seal(_ text: [UInt8], with data: [UInt8] = []) -> [UInt8] {
        defer { counter += 1 }
        return Crypto.seal(text, key: key, nonce: nonce, with: data)
    }

    /// Decrypts the next message; nil if it is not authentic.
    mutating func open(_ sealed: [UInt8], with data: [UInt8] = []) -> [UInt8]? {
        defer { counter += 1 }
        return Crypto.open(sealed, key: key, nonce: nonce, with: data)
    }

    /// The nonce of the next message: four zero bytes and the counter, lowest byte first (Noise Protocol Framework,
    /// 12.2).
    private var nonce: [UInt8] {
        [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * UInt64($0))) }
    }
}
