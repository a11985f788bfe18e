import Bluetooth

/// Where the notifications of one subscribed characteristic go; belongs to the loop's thread.
final class NotificationSink {
    let link: LinkState
    let characteristic: CharacteristicID
    var echo = ReadEcho()
    /// The socket through which they come, if not by signals.
    var socket: AcquiredSocket?
    /// Whether signals are to be ignored because the socket delivers.
    var isAcquired: Bool { socket != nil }

    init(link: LinkState, characteristic: CharacteristicID) {
        self.link = link
        self.characteristic = characteristic
    }

    /// Delivers what came before the link went: bluetoothd's word of its end overtakes what waits in a socket.
    func finish() {
        if let held = echo.abandoned() { deliver(held) }
        socket?.finish { deliver($0) }
    }

    /// Closes the socket, which is to unsubscribe; false if there is none.
    func endSocket() -> Bool {
        guard let socket else { return false }
        socket.cancel()
        self.socket = nil
        return true
    }

    func deliver(_ value: [UInt8]) { link.handler(.notification(characteristic, value)) }
}
