import Bluetooth
import Testing

/// Returns the bytes of a hexadecimal text in a test vector.
func bytes(_ text: String) -> [UInt8] {
    guard let bytes = Hex.bytes(text) else {
        Issue.record("not hexadecimal: \(text)")
        return []
    }
    return bytes
}
