import BlueZ
import BridgeContract
import DeviceKit

extension RadioError {
    init(_ error: BlueZError) {
        // What a device is does not depend on what was being done.
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
        // Devices that want a bond say so as «read (or write) not permitted» too; FSLib-iOS takes them alike.
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
    /// What failed and why, without the code, which the port has of its own.
    fileprivate var words: String { "\(operation): \(reason)" }
}
