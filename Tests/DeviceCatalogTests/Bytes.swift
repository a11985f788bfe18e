import Bluetooth
import Testing

/// Bytes as the test vectors write them.
func bytes(_ text: String) -> [UInt8] {
    guard let bytes = Hex.bytes(text) else {
        Issue.record("not hexadecimal: \(text)")
        return []
    }
    return bytes
}
