/// The handshake `Noise_NNpsk0_25519_ChaChaPoly_SHA256`: the client sends one message, and the proxy answers with one
/// message.
struct NoiseHandshake: Sendable {
    /// The length of a message: a public key and a tag.
    static let messageLength = Crypto.length + Crypto.tagLength

    private let secret: [UInt8]
    private var hash: [UInt8]
    private var chainingKey: [UInt8]
    private var cipher = NoiseCipher(key: [UInt8](repeating: 0, count: Crypto.length))

    /// - Parameters:
    ///   - preshared: The key that both sides know, 32 bytes.
    ///   - secret: The ephemeral private key, 32 bytes.
    ///   - hello: The body of the client hello, which is part of the prologue.
    init(preshared: [UInt8], secret: [UInt8], hello: [UInt8]) {
        self.secret = secret
        hash = Crypto.sha256(Array("Noise_NNpsk0_25519_ChaChaPoly_SHA256".utf8))
        chainingKey = hash
        let length = UInt16(truncatingIfNeeded: hello.count)
        mixHash(Array("NoiseAPIInit".utf8) + [UInt8(length >> 8), UInt8(length & 0xFF)] + hello)
        let keys = derive(preshared, count: 3)
        chainingKey = keys[0]
        mixHash(keys[1])
        cipher = NoiseCipher(key: keys[2])
    }

    /// Returns this side's message. For the proxy, `other` is the client's public key from the client's message, which
    /// the proxy reads first.
    mutating func write(after other: [UInt8]? = nil) -> [UInt8]? {
        let ownKey = Crypto.publicKey(of: secret)
        mixPublicKey(ownKey)
        if let other, !mixSharedSecret(other) { return nil }
        let tag = cipher.seal([], with: hash)
        mixHash(tag)
        return ownKey + tag
    }

    /// Reads the message of the other side.
    ///
    /// - Parameter isAnswer: Whether the other side has read this side's message.
    /// - Returns: The public key of the other side; nil if the preshared keys differ.
    mutating func read(_ message: [UInt8], isAnswer: Bool) -> [UInt8]? {
        guard message.count == Self.messageLength else { return nil }
        let (key, tag) = (Array(message.prefix(Crypto.length)), Array(message.suffix(Crypto.tagLength)))
        mixPublicKey(key)
        if isAnswer, !mixSharedSecret(key) { return nil }
        guard cipher.open(tag, with: hash) != nil else { return nil }
        mixHash(tag)
        return key
    }

    /// Returns the ciphers for the client's messages and for the proxy's messages.
    func split() -> (client: NoiseCipher, proxy: NoiseCipher) {
        let keys = derive([], count: 2)
        return (NoiseCipher(key: keys[0]), NoiseCipher(key: keys[1]))
    }

    private mutating func mixHash(_ bytes: [UInt8]) { hash = Crypto.sha256(hash + bytes) }

    /// Mixes a public key into the hash, and also into the chaining key, as required with a preshared key (Noise
    /// Protocol Framework, 9.2).
    private mutating func mixPublicKey(_ key: [UInt8]) {
        mixHash(key)
        mixKey(key)
    }

    private mutating func mixSharedSecret(_ other: [UInt8]) -> Bool {
        guard let shared = Crypto.sharedSecret(secret, other) else { return false }
        mixKey(shared)
        return true
    }

    private mutating func mixKey(_ material: [UInt8]) {
        let keys = derive(material, count: 2)
        chainingKey = keys[0]
        cipher = NoiseCipher(key: keys[1])
    }

    /// Derives keys from the chaining key (Noise Protocol Framework, 4.3).
    private func derive(_ material: [UInt8], count: UInt8) -> [[UInt8]] {
        let key = Crypto.hmac(chainingKey, material)
        var (keys, last): ([[UInt8]], [UInt8]) = ([], [])
        for number in 1...count {
            last = Crypto.hmac(key, last + [number])
            keys.append(last)
        }
        return keys
    }
}
