public import Bluetooth

/// A request of bluetoothd to the pairing agent about a device.
public enum PairingRequest: Hashable, Sendable {
    /// May the device bond without a comparison by the user (Just Works)?
    case authorization
    /// Does the device show the same six digits?
    case confirmation(passkey: UInt32)
    /// Show six digits for the user to type on the device; `entered` of them are already typed.
    case displayPasskey(UInt32, entered: UInt16)
    /// Show a PIN for the user to type on the device.
    case displayPinCode(String)
    /// Which six digits does the device show?
    case passkey
    /// Which PIN does the device have?
    case pinCode
    /// May the device use a service of this host?
    case service(UUID)

    /// Whether an agent without keyboard can answer the request.
    package var isAnswerable: Bool {
        switch self {
        case .passkey, .pinCode: false
        default: true
        }
    }

    /// A description for the log; it includes the six digits because the user has to compare or type them.
    package var words: String {
        switch self {
        case .authorization: "requests bonding"
        case .confirmation(let passkey): "requests bonding; both sides must show \(Self.digits(passkey))"
        case .displayPasskey(let passkey, _): "requests bonding; type \(Self.digits(passkey)) on it"
        case .displayPinCode(let code): "requests bonding; type the PIN \(code) on it"
        case .passkey: "requires the passkey that it shows"
        case .pinCode: "requires its PIN"
        case .service(let uuid): "requests access to the service \(uuid)"
        }
    }

    private static func digits(_ passkey: UInt32) -> String {
        let text = String(passkey)
        return String(repeating: "0", count: max(0, 6 - text.count)) + text
    }
}
