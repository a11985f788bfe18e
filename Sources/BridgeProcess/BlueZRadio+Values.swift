import BlueZ
import BridgeContract
import DeviceKit

extension RadioError {
    init(_ error: BlueZError) {
        // That a device is an input device is a property of the device, so this error omits the failed operation.
        self.init(Self.code(of: error.code), error.code == .inputDevice ? error.reason : error.words)
    }

    private static func code(of code: BlueZError.Code) -> Code {
        switch code {
        case .serviceAway, .noAdapter, .adapterOff, .accessDenied: .unavailable
        case .unknownDevice: .unknownDevice
        case .unreachable, .refused, .timeout, .notConnected: .unreachable
        case .inProgress: .busy
        case .connectionLimit: .noSlot
        case .pairingRequired: .pairingRequired
        case .pairingFailed: .pairingFailed
        case .wrongProfile: .wrongProfile
        case .serviceClaimed: .serviceClaimed
        case .inputDevice: .inputDevice
        case .alreadyDone, .notPermitted, .notSupported, .invalidLength, .cancelled, .failed: .failed
        }
    }
}

extension OperationError {
    init(_ error: BlueZError) { self.init(Self.code(of: error.code), error.words) }

    private static func code(of code: BlueZError.Code) -> Code {
        switch code {
        // If a bond is missing, some devices report «read (or write) not permitted» instead of an error about the bond.
        // FSLib-iOS, the library of the belt's maker for iOS, treats both errors alike.
        case .pairingRequired, .pairingFailed, .notPermitted: .notPermitted
        case .notSupported: .notSupported
        case .invalidLength: .invalidLength
        case .timeout: .timeout
        case .notConnected, .serviceAway, .noAdapter, .adapterOff, .unknownDevice: .disconnected
        case .accessDenied, .unreachable, .refused, .inProgress, .connectionLimit, .alreadyDone,
            .wrongProfile, .serviceClaimed, .inputDevice,
            .cancelled, .failed:
            .failed
        }
    }
}

extension BlueZError {
    /// The operation and the reason, without the error code, because the error that the bridge receives contains the
    /// code as a separate value.
    fileprivate var words: String { "\(operation): \(reason)" }
}
