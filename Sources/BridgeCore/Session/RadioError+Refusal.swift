import BridgeContract

extension RadioError {
    /// Whether the device or the host refused the request. An offline device is no refusal. An input device is reported
    /// separately.
    var isRefusal: Bool {
        switch code {
        case .pairingRequired, .pairingFailed, .wrongProfile, .serviceClaimed, .failed: true
        case .unavailable, .unknownDevice, .unreachable, .inputDevice, .busy, .noSlot, .proxyOnly: false
        }
    }
}
