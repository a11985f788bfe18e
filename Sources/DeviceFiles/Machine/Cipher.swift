import Bluetooth

/// Decrypts and verifies with AES-128 in CCM mode (RFC 3610): key, nonce, encrypted bytes, tag. Returns nil if the tag
/// is wrong. The host provides it, so that this module contains no cryptography.
package typealias Cipher =
    @Sendable (
        _ key: [UInt8], _ nonce: [UInt8], _ bytes: [UInt8], _ tag: [UInt8]
    ) -> [UInt8]?

/// The encryption of BTHome 2 (https://bthome.io/encryption): a byte of flags, the encrypted objects, a counter of four
/// bytes and a tag of four bytes.
struct BTHomeCipher: Sendable {
    /// Why a packet cannot be used.
    enum Refusal: String {
        case keyMissing = "key_missing"
        case notEncrypted = "not_encrypted"
        case wrongKey = "wrong_key"
        case replayed
    }

    /// The key; nil if it is not set.
    private let key: [UInt8]?
    private let address: [UInt8]
    /// The counter of the last packet that was decrypted; nil if there was none.
    private(set) var counter: UInt64?

    /// A lower counter than the last one is rejected as replayed, unless it is below this value: some devices start to
    /// count from 0 again after a change of the battery.
    private static let restart: UInt64 = 100

    init(key: String?, address: Address, counter: UInt64?) {
        self.key = key.flatMap { Hex.bytes($0) }.flatMap { $0.count == 16 ? $0 : nil }
        self.address = (0..<6).map { UInt8(truncatingIfNeeded: address.number >> UInt64(40 - 8 * $0)) }
        self.counter = counter
    }

    /// Returns the decrypted packet, or the reason why the packet cannot be used. Without a key, returns an unencrypted
    /// packet unchanged.
    mutating func open(_ bytes: [UInt8], _ cipher: Cipher?) -> Result<[UInt8], Failure> {
        let isEncrypted = bytes.first.map { $0 & 1 == 1 } ?? false
        guard isEncrypted else { return key == nil ? .success(bytes) : .failure(.init(.notEncrypted)) }
        guard let key, let cipher else { return .failure(.init(.keyMissing)) }
        guard bytes.count >= 9 else { return .failure(.init(.wrongKey)) }
        let (body, tail) = (bytes[1..<(bytes.count - 8)], bytes.suffix(8))
        let number = tail.prefix(4).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        if let counter, number <= counter, number >= Self.restart || number == counter {
            return .failure(.init(.replayed))
        }
        let nonce = address + [0xD2, 0xFC, bytes[0]] + tail.prefix(4)
        guard let plain = cipher(key, nonce, Array(body), Array(tail.suffix(4))) else {
            return .failure(.init(.wrongKey))
        }
        counter = number
        return .success([bytes[0]] + plain)
    }

    struct Failure: Error {
        let refusal: Refusal
        init(_ refusal: Refusal) { self.refusal = refusal }
    }
}
