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
        // Devices that require a bond also report this as «read (or write) not permitted». FSLib-iOS, the maker's
        // library for iOS, treats both errors alike.
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
    /// The operation and the reason, without the error code, which the port's error contains as a separate value.
    fileprivate var words: String { "\(operation): \(reason)" }
}
