import CCrypto

/// OpenSSL's functions for the Noise protocol. They fail only if no memory is available, except functions with an
/// optional result.
enum Crypto {
    /// The length of keys, hashes and shared secrets in bytes.
    static let length = 32
    /// The length of a Poly1305 tag in bytes.
    static let tagLength = 16

    static func randomKey() -> [UInt8] {
        var key = [UInt8](repeating: 0, count: length)
        precondition(RAND_bytes(&key, CInt(length)) == 1, "OpenSSL has no random bytes")
        return key
    }

    static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: length)
        require(EVP_Digest(bytes, bytes.count, &hash, nil, EVP_sha256(), nil))
        return hash
    }

    static func hmac(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: length)
        precondition(
            HMAC(EVP_sha256(), key, CInt(key.count), bytes, bytes.count, &hash, nil) != nil,
            "OpenSSL cannot compute an HMAC")
        return hash
    }

    static func publicKey(of secret: [UInt8]) -> [UInt8] {
        let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, secret, secret.count)
        defer { EVP_PKEY_free(key) }
        var (bytes, count) = ([UInt8](repeating: 0, count: length), length)
        require(EVP_PKEY_get_raw_public_key(key, &bytes, &count))
        return bytes
    }

    /// Returns the shared secret of X25519; nil if the other side's key is invalid, such as a key of small order.
    static func sharedSecret(_ secret: [UInt8], _ other: [UInt8]) -> [UInt8]? {
        let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, secret, secret.count)
        let peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, other, other.count)
        let context = EVP_PKEY_CTX_new(key, nil)
        defer {
            EVP_PKEY_CTX_free(context)
            EVP_PKEY_free(peer)
            EVP_PKEY_free(key)
        }
        var (bytes, count) = ([UInt8](repeating: 0, count: length), length)
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer) == 1,
            EVP_PKEY_derive(context, &bytes, &count) == 1
        else { return nil }
        return bytes
    }

    /// Encrypts with ChaCha20-Poly1305; the result ends with the tag.
    static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8], with data: [UInt8]) -> [UInt8] {
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var (sealed, tag) = (
            [UInt8](repeating: 0, count: text.count), [UInt8](repeating: 0, count: tagLength)
        )
        var count: CInt = 0
        require(EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce))
        require(EVP_EncryptUpdate(context, nil, &count, data, CInt(data.count)))
        require(EVP_EncryptUpdate(context, &sealed, &count, text, CInt(text.count)))
        require(EVP_EncryptFinal_ex(context, &tag, &count))
        require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tagLength), &tag))
        return sealed + tag
    }

    /// Decrypts; nil if the tag does not match.
    static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], with data: [UInt8]) -> [UInt8]? {
        guard sealed.count >= tagLength else { return nil }
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        let bytes = Array(sealed.dropLast(tagLength))
        var (text, tag) = ([UInt8](repeating: 0, count: bytes.count), Array(sealed.suffix(tagLength)))
        var (count, rest): (CInt, [UInt8]) = (0, [0])
        require(EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce))
        require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tagLength), &tag))
        require(EVP_DecryptUpdate(context, nil, &count, data, CInt(data.count)))
        require(EVP_DecryptUpdate(context, &text, &count, bytes, CInt(bytes.count)))
        return EVP_DecryptFinal_ex(context, &rest, &count) == 1 ? text : nil
    }

    private static func require(_ status: CInt) { precondition(status == 1, "OpenSSL has no memory") }
}
