import CCrypto

/// The Advanced Encryption Standard, by OpenSSL.
package enum AES {
    /// Decrypts and verifies with AES-128 in CCM mode (RFC 3610).
    ///
    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - nonce: 7 to 13 bytes.
    ///   - bytes: The encrypted bytes.
    ///   - tag: 4 to 16 bytes, an even number.
    /// - Returns: The plain bytes; nil if the tag is wrong, or a length is not allowed.
    package static func decryptCCM(
        _ key: [UInt8], _ nonce: [UInt8], _ bytes: [UInt8], _ tag: [UInt8]
    ) -> [UInt8]? {
        guard key.count == 16, let context = EVP_CIPHER_CTX_new() else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        var (tag, plain) = (tag, [UInt8](repeating: 0, count: max(1, bytes.count)))
        var count: CInt = 0
        // The lengths are set before the key, and a wrong tag shows in the only update.
        guard EVP_DecryptInit_ex(context, EVP_aes_128_ccm(), nil, nil, nil) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, CInt(nonce.count), nil) == 1,
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag) == 1,
            EVP_DecryptInit_ex(context, nil, nil, key, nonce) == 1,
            EVP_DecryptUpdate(context, &plain, &count, bytes, CInt(bytes.count)) == 1
        else { return nil }
        return Array(plain.prefix(Int(count)))
    }
}
