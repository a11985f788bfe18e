import BridgeContract
import BridgeParts
import Logging

// Links over Bluetooth proxies, on which no guardian can stop the device.
extension DeviceSession {
    var isOverProxy: Bool { link?.isOverProxy ?? false }

    /// Closes a link over a proxy that the device's family does not allow, before anything is written. The radio does not
    /// establish such a link, so this is a second check.
    func refuseProxy(_ link: any DeviceLink) async {
        logger.error(
            "the device was connected over a Bluetooth proxy, which its family does not allow: it is disconnected",
            metadata: ["adapter": "\(link.adapter)"])
        await link.disconnect()
        guard life == .open else { return }
        connector.failed(
            RadioError(.proxyOnly, "the family does not allow a connection over the proxy \(link.adapter)"),
            at: now)
        proceed()
    }
}
