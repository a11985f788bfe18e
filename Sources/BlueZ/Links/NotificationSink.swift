import Bluetooth

/// Receives the notifications of one subscribed characteristic, from a socket or as signals; belongs to the loop's
/// thread.
final class NotificationSink {
    let link: LinkState
    let characteristic: CharacteristicID
    var echo = ReadEcho()
    /// The socket that delivers the notifications; nil if they arrive as signals.
    var socket: AcquiredSocket?
    /// Whether signals are ignored because the socket delivers the notifications.
    var isAcquired: Bool { socket != nil }

    init(link: LinkState, characteristic: CharacteristicID) {
        self.link = link
        self.characteristic = characteristic
    }

    /// Delivers values that were received before the link was lost. Values in the socket may still be unread when
    /// bluetoothd's signal of the loss arrives.
    func finish() {
        if let held = echo.abandoned() { deliver(held) }
        socket?.finish { deliver($0) }
    }

    /// Closes the socket, which also unsubscribes; returns false if there is no socket.
    func endSocket() -> Bool {
        guard let socket else { return false }
        socket.cancel()
        self.socket = nil
        return true
    }

    func deliver(_ value: [UInt8]) { link.handler(.notification(characteristic, value)) }
}
