import DBus
import EventLoop
import Glibc

/// The daemon's end of a socket for a characteristic. Use it only on the event loop's thread.
///
/// Each packet contains one value, as in BlueZ: `SOCK_SEQPACKET`.
final class ChannelSocket {
    private let descriptor: Descriptor
    private var watch: Watch?
    private static let longestPacket = 512

    /// Creates a pair of sockets and returns the client's end.
    ///
    /// - Parameter handler: The closure, called with each packet, and once with nil when the other end is closed.
    static func open(
        on loop: EventLoop, handler: @escaping ([UInt8]?) -> Void
    ) throws(DBusError) -> (own: ChannelSocket, other: Descriptor) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_SEQPACKET.rawValue) | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw BlueZError.failed(String(cString: strerror(errno)))
        }
        let own = ChannelSocket(Descriptor(adopting: ends[0]))
        own.watch = loop.watch(ends[0], for: .readable) { [weak own] _ in own?.receive(handler) }
        return (own, Descriptor(adopting: ends[1]))
    }

    private init(_ descriptor: Descriptor) { self.descriptor = descriptor }

    /// Sends a packet. If the client does not read, the packet is lost, as in BlueZ.
    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor.number, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Closes the socket.
    func close() {
        watch?.cancel()
        watch = nil
        shutdown(descriptor.number, CInt(SHUT_RDWR))
    }

    private func receive(_ handler: ([UInt8]?) -> Void) {
        while watch != nil {
            var buffer = [UInt8](repeating: 0, count: Self.longestPacket)
            let count = recv(descriptor.number, &buffer, buffer.count, 0)
            if count > 0 {
                handler(Array(buffer[..<count]))
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return
            } else {
                watch?.cancel()
                watch = nil
                handler(nil)
            }
        }
    }
}

extension LookAlike {
    /// Opens a socket for a characteristic and answers the call with the client's end.
    func openSocket(_ number: Int, call: Int, mtu: UInt16) {
        guard let answer = answers.removeValue(forKey: call) else { return }
        do {
            let (own, other) = try ChannelSocket.open(on: loop) { [weak self] bytes in
                self?.assumeIsolated {
                    $0.run { daemon, now in
                        guard let bytes else { return daemon.closed(channel: number, at: now) }
                        return daemon.received(bytes, from: number, at: now)
                    }
                }
            }
            sockets[number] = own
            answer.succeed([.descriptor(other), .uint16(mtu)])
        } catch {
            answer.fail(error)
            loop.execute { [weak self] in
                self?.assumeIsolated { $0.run { daemon, now in daemon.closed(channel: number, at: now) } }
            }
        }
    }
}
