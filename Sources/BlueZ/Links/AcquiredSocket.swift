import DBus
import EventLoop
import Glibc

/// A socket that bluetoothd gave for one characteristic: each packet is one value. Belongs to the loop's thread.
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

    /// Delivers what comes, and tells once when nothing comes any more.
    func receive(
        on loop: EventLoop, _ deliver: @escaping ([UInt8]) -> Void, ended: @escaping () -> Void
    ) {
        watch = loop.watch(descriptor.number, for: .readable) { [weak self] _ in
            guard let self else { return }
            // Bounded, so that one busy device does not hold up the others.
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

    /// Delivers what has come already, and nothing any more.
    func finish(_ deliver: ([UInt8]) -> Void) {
        cancel()
        // Bounded: the other end may send on.
        for _ in 0..<1024 {
            guard let value = readPacket(), !value.isEmpty else { return }
            deliver(value)
        }
    }

    func cancel() {
        watch?.cancel()
        watch = nil
    }

    /// Nil: nothing there now. Empty: the end. (A notification without bytes looks like the end; bluetoothd does
    /// not send it through a socket either.)
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
