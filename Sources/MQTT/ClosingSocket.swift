import EventLoop
import Glibc

/// The socket of a connection that this side has closed, until the broker has closed it too.
///
/// A broker may accept the next connection of a client id before it has read the DISCONNECT of the previous one. The
/// broker then considers the previous connection lost and publishes its last will. This happens with Mosquitto, which
/// reads sockets in no particular order.
final class ClosingSocket {
    /// The maximum time to wait until the broker has closed the connection.
    static let patience = Duration.milliseconds(500)

    private let descriptor: CInt
    private var watch: Watch?
    private var timer: LoopTimer?

    /// - Parameters:
    ///   - descriptor: Closed by this object; may be negative.
    ///   - finish: Called once, when the broker has closed the connection or ``patience`` is over.
    init(_ descriptor: CInt, on loop: EventLoop, then finish: @escaping () -> Void) {
        self.descriptor = descriptor
        let end = { [unowned self] in
            self.cancel()
            finish()
        }
        timer = loop.schedule(after: descriptor < 0 ? .zero : Self.patience, handler: end)
        guard descriptor >= 0 else { return }
        shutdown(descriptor, CInt(SHUT_WR))
        watch = loop.watch(descriptor, for: .readable) { [descriptor] _ in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, CInt(MSG_DONTWAIT))
            if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { end() }
        }
    }

    /// Closes the socket immediately, without calling `finish`.
    func cancel() {
        timer?.cancel()
        timer = nil
        guard let watch else { return }
        watch.cancel()
        self.watch = nil
        close(descriptor)
    }
}
