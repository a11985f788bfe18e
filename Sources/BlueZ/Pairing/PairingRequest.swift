public import Bluetooth

/// What bluetoothd asks the pairing agent about a device.
public enum PairingRequest: Hashable, Sendable {
    /// May the device bond without a comparison by a person (Just Works)?
    case authorization
    /// Does the device show the same six digits?
    case confirmation(passkey: UInt32)
    /// Show six digits, which a person types on the device; `entered` of them are typed already.
    case displayPasskey(UInt32, entered: UInt16)
    /// Show a PIN, which a person types on the device.
    case displayPinCode(String)
    /// Which six digits does the device show?
    case passkey
    /// Which PIN does the device have?
    case pinCode
    /// May the device use a service of this host?
    case service(UUID)

    /// Whether an agent without keyboard can answer it at all.
    package var isAnswerable: Bool {
        switch self {
        case .passkey, .pinCode: false
        default: true
        }
    }

    /// The request in words, for the log; six digits are shown because a person has to compare or type them.
    package var words: String {
        switch self {
        case .authorization: "asks to bond"
        case .confirmation(let passkey): "asks to bond; both must show \(Self.digits(passkey))"
        case .displayPasskey(let passkey, _): "wants \(Self.digits(passkey)) typed on it"
        case .displayPinCode(let code): "wants the PIN \(code) typed on it"
        case .passkey: "asks for the passkey that it shows"
        case .pinCode: "asks for its PIN"
        case .service(let uuid): "asks to use the service \(uuid)"
        }
    }

    private static func digits(_ passkey: UInt32) -> String {
        let text = String(passkey)
        return String(repeating: "0", count: max(0, 6 - text.count)) + text
    }
}
