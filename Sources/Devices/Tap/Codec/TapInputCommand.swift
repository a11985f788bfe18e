/// A write to the UART service: an input mode, or the state of a TapXR.
enum TapInputCommand: Hashable, Sendable {
    /// An input mode, except raw mode, which is ``raw(_:)``.
    case mode(TapInputMode)
    /// Raw mode, always with its sensitivities. The behavior of a TAP that receives the command without sensitivities
    /// is not documented.
    case raw(TapSensitivity)
    /// The state of a TapXR.
    case xr(TapXRState)

    /// The packet: 4 bytes, or 7 for raw mode.
    var bytes: [UInt8] {
        switch self {
        case .mode(let mode): [0x03, 0x0C, 0x00, mode.code]
        case .raw(let sensitivity): [0x03, 0x0C, 0x00, TapInputMode.raw.code] + sensitivity.bytes
        case .xr(let state): [0x03, 0x0D, 0x00, state.code]
        }
    }

    /// Decodes a packet; nil for a packet that no source documents. Sensitivities out of range become 0, as on iOS
    /// and Android.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes[0] == 0x03, bytes[2] == 0x00 else { return nil }
        switch bytes[1] {
        case 0x0C:
            guard let mode = TapInputMode(code: bytes[3]) else { return nil }
            guard mode == .raw else {
                self = .mode(mode)
                return
            }
            guard bytes.count >= 7 else { return nil }
            self = .raw(TapSensitivity(codes: bytes[4], bytes[5], bytes[6]))
        case 0x0D:
            guard let state = TapXRState(code: bytes[3]) else { return nil }
            self = .xr(state)
        default: return nil
        }
    }

    /// The requested mode; nil for the state of a TapXR.
    var mode: TapInputMode? {
        switch self {
        case .mode(let mode): mode
        case .raw: .raw
        case .xr: nil
        }
    }
}
