import Bluetooth
import BridgeContract
import DeviceKit
import ProxyClient

extension OperationError {
    init(_ failure: ProxySession.OperationFailure) {
        switch failure {
        case .notConnected: self.init(.disconnected, "the link has ended")
        case .tooLong(let most): self.init(.invalidLength, "the link supports values of up to \(most) bytes")
        case .stalled: self.init(.timeout, "the acknowledgment of an earlier write is late")
        case .full: self.init(.failed, "too many operations wait")
        case .refused(let code): self.init(Self.code(of: code), "the device refuses: \(Self.words(of: code))")
        }
    }

    /// Classifies an error of the Attribute Protocol (Core Specification, Vol 3, Part F, 3.4.1.1), or of Bluedroid
    /// (`esp_gatt_defs.h`).
    private static func code(of error: Int32) -> Code {
        switch error {
        // As with BlueZ: without a bond, some devices report «read (or write) not permitted».
        case 2, 3, 5, 8, 0x0F, 0x89, 0x8E: .notPermitted
        case 1, 6: .notSupported
        case 0x0D: .invalidLength
        default: .failed
        }
    }

    private static func words(of error: Int32) -> String {
        let words: String? =
            switch error {
            case 1: "invalid handle"
            case 2: "read not permitted"
            case 3: "write not permitted"
            case 5, 0x89: "not authenticated"
            case 6: "not supported"
            case 8: "not authorized"
            case 0x0D: "invalid length"
            case 0x0F, 0x8E: "not encrypted"
            case 0x11: "no resources"
            case 0x84: "busy"
            default: nil
            }
        return words.map { "\($0) (error \(error))" } ?? "error \(error)"
    }
}

extension RadioError {
    init(_ failure: ProxySession.LinkFailure) {
        switch failure {
        case .noSlot: self.init(.noSlot, "the proxy has no free slot for a connection")
        case .timedOut: self.init(.unreachable, "the device did not answer in time")
        case .noServices: self.init(.unreachable, "the list of the device's services is incomplete")
        case .requested: self.init(.unreachable, "disconnected by this bridge")
        case .busy: self.init(.busy, "the last connection to the device has not ended yet")
        case .unavailable: self.init(.unavailable, "the proxy cannot be used now")
        case .code: self.init(.unreachable, failure.words(wasAsked: false))
        }
    }
}

extension ProxySession.LinkFailure {
    /// The reason for the end of a link, for users.
    func words(wasAsked: Bool) -> String {
        if wasAsked { return "disconnected by this bridge" }
        switch self {
        case .noSlot: return "the proxy has no free slot"
        case .timedOut: return "the device did not answer in time"
        case .noServices: return "the list of the device's services is incomplete"
        case .requested: return "disconnected by this bridge"
        case .busy: return "the device is already connected"
        case .unavailable: return "the proxy can no longer be used"
        case .code(let code): return Self.words(of: code)
        }
    }

    /// Describes an error of the HCI (Core Specification, Vol 1, Part F, 1.3), or of Bluedroid (`esp_gatt_defs.h`).
    private static func words(of code: Int32) -> String {
        switch code {
        case -1: "the proxy is not connected to the device"
        case 0x08: "out of range: the link timed out"
        case 0x13: "disconnected by the device"
        case 0x16: "disconnected by the proxy"
        case 0x22, 0x3E, 0x85: "the device did not answer (error \(code))"
        case 0x100: "the attempt was canceled"
        default: "the link was lost (error \(code))"
        }
    }
}
