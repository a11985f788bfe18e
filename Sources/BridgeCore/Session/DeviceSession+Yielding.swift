import Logging

// Another program has taken the adapter over which the device is connected.
extension DeviceSession {
    static let adapterReason = "another program has the adapter"

    /// Makes the device safe and closes its link in good order, if it is over this adapter: nobody else stops a robot
    /// that drives by what this bridge wrote.
    func leaveAdapter(_ name: String) {
        guard adapter == name, link != nil, life == .open, !isParting, !wantsDisconnect else { return }
        logger.warning("let go", metadata: ["reason": "\(Self.adapterReason)"])
        part()
    }
}
