import DBus
import EventLoop
import Glibc

/// A socket that bluetoothd passed for one characteristic: each packet is one value. Belongs to the loop's thread.
final class AcquiredSocket {
    private let descriptor: Descriptor
    private var watch: Watch?
    private var buffer: [UInt8]

    init(_ descriptor: Descriptor, mtu: Int) {
        self.descriptor = descriptor
        buffer = [UInt8](repeating: 0, count: max(mtu, 512))
        let flags = fcntl(descriptor.number, F_GETFL)
        _ = fcntl(descriptor.number, F_SETFL, flags | O_NONBLOCK)
    }

    deinit { watch?.cancel() }

    /// Delivers incoming values, and calls `ended` once when the socket is closed.
    func receive(
        on loop: EventLoop, _ deliver: @escaping ([UInt8]) -> Void, ended: @escaping () -> Void
    ) {
        watch = loop.watch(descriptor.number, for: .readable) { [weak self] _ in
            guard let self else { return }
            // The number of packets per call is bounded, so that one busy device does not delay other devices.
            for _ in 0..<32 {
                guard let value = readPacket() else { return }
                guard !value.isEmpty else {
                    cancel()
                    return ended()
                }
                deliver(value)
            }
        }
    }

    /// Delivers the values that have already arrived, and then stops reading.
    func finish(_ deliver: ([UInt8]) -> Void) {
        cancel()
        // The number of packets is bounded, because bluetoothd may continue to send.
        for _ in 0..<1024 {
            guard let value = readPacket(), !value.isEmpty else { return }
            deliver(value)
        }
    }

    func cancel() {
        watch?.cancel()
        watch = nil
    }

    /// Returns nil if there is no packet, and an empty array at the end of the stream. An empty notification would look
    /// like the end, but bluetoothd does not send empty values through a socket.
    private func readPacket() -> [UInt8]? {
        while true {
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            if count >= 0 { return Array(buffer[0..<count]) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            default: return []
            }
        }
    }
}
