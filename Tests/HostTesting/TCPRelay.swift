import Dispatch
import EventLoop
import Glibc
import Synchronization

/// A relay between a client and a server on this host, which simulates network faults on their connections.
public final class TCPRelay: Sendable {
    /// The behavior of the relay.
    public enum Conduct: Hashable, Sendable {
        /// Forwards all data in both directions.
        case faithful
        /// Closes existing connections, and accepts and immediately closes new ones.
        case hangingUp
        /// Forwards no data in one or both directions; held data is forwarded after the behavior changes.
        case stalled(Direction)
        /// Forwards at most this number of bytes a second from clients to the server.
        case slow(bytesPerSecond: Int)
    }

    /// A direction of data.
    public enum Direction: Hashable, Sendable {
        /// From clients to the server.
        case toServer
        /// From the server to clients.
        case toClients
        /// Both directions.
        case both
    }

    private struct State {
        var conduct = Conduct.faithful
        var isSilenced = false
        var injected: [UInt8] = []
        var isEnded = false
    }

    /// The port for clients, on 127.0.0.1.
    public let port: UInt16
    private let state = Mutex(State())
    private let bell: CInt

    /// Listens on a free port.
    ///
    /// - Parameter server: The port of the server, on 127.0.0.1.
    public init(to server: UInt16) throws {
        port = try TestBroker.freePort()
        let listener = Self.socket()
        var size: CInt = 4096
        // Inherited by accepted sockets: a sender notices a slow reader sooner.
        setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        var ends: [CInt] = [-1, -1]
        guard Self.with(port, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0, pipe(&ends) == 0
        else {
            close(listener)
            throw TestProcess.Failure(description: "no relay on port \(port): \(errno)")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = ends[1]
        let traffic = Traffic(listener: listener, bell: ends[0], server: server)
        DispatchQueue(label: "relay").async { [self] in
            var traffic = traffic
            while let (conduct, isSilenced, injected) = next() {
                if isSilenced { traffic.silenceAll() }
                traffic.inject(injected)
                traffic.turn(conduct)
            }
            traffic.end()
        }
    }

    deinit { close(bell) }

    /// Changes the behavior.
    public func set(_ conduct: Conduct) { ring { $0.conduct = conduct } }

    /// Keeps existing connections open without forwarding any data, as if a machine in between were switched off; new
    /// connections are not affected.
    public func fallSilent() { ring { $0.isSilenced = true } }

    /// Sends data to clients that the server did not send.
    public func inject(_ bytes: [UInt8]) { ring { $0.injected += bytes } }

    /// Closes the relay and all its connections.
    public func end() { ring { $0.isEnded = true } }

    private func ring(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        var byte: UInt8 = 0
        _ = write(bell, &byte, 1)
    }

    /// Returns the state for the next turn; nil at the end.
    private func next() -> (Conduct, isSilenced: Bool, injected: [UInt8])? {
        state.withLock { state in
            guard !state.isEnded else { return nil }
            defer { (state.isSilenced, state.injected) = (false, []) }
            return (state.conduct, state.isSilenced, state.injected)
        }
    }

    fileprivate static func socket() -> CInt {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var yes: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
        return socket
    }

    /// Calls a function with the address of a port of 127.0.0.1.
    fileprivate static func with(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// The connections of a relay; belongs to its thread.
private struct Traffic {
    private struct Couple {
        let client: CInt
        let server: CInt
        var isSilent = false
    }

    private static let tick = Duration.milliseconds(20)

    let listener: CInt
    let bell: CInt
    let server: UInt16
    private var couples: [Couple] = []
    /// When clients may be read again, in the slow behavior.
    private var nextReading = Duration.zero

    init(listener: CInt, bell: CInt, server: UInt16) {
        (self.listener, self.bell, self.server) = (listener, bell, server)
    }

    mutating func silenceAll() {
        for index in couples.indices { couples[index].isSilent = true }
    }

    func inject(_ bytes: [UInt8]) {
        for couple in couples where !bytes.isEmpty {
            _ = bytes.withUnsafeBytes { send(couple.client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        }
    }

    mutating func end() {
        close { _ in true }
        for descriptor in [listener, bell] { Glibc.close(descriptor) }
    }

    /// Waits for events and handles them.
    mutating func turn(_ conduct: TCPRelay.Conduct) {
        if conduct == .hangingUp { close { _ in true } }
        let open = couples.filter { !$0.isSilent }
        var wait: CInt = -1
        var limit = 65_536
        var readsClients = true
        var readsServer = true
        if case .stalled(let direction) = conduct {
            (readsClients, readsServer) = (direction == .toClients, direction == .toServer)
        }
        if case .slow(let rate) = conduct {
            let left = nextReading - EventLoop.now
            readsClients = left <= .zero
            wait = readsClients ? -1 : CInt(left / .milliseconds(1)) + 1
            limit = max(1, rate * Int(Self.tick / .milliseconds(1)) / 1000)
        }
        var entries = [bell, listener].map { pollfd(fd: $0, events: CShort(POLLIN), revents: 0) }
        for couple in open {
            // poll ignores a negative descriptor.
            entries.append(pollfd(fd: readsClients ? couple.client : -1, events: CShort(POLLIN), revents: 0))
            entries.append(pollfd(fd: readsServer ? couple.server : -1, events: CShort(POLLIN), revents: 0))
        }
        guard poll(&entries, nfds_t(entries.count), wait) > 0 else { return }
        if entries[0].revents != 0 {
            // A change of the behavior applies to everything after it.
            var byte: UInt8 = 0
            _ = read(bell, &byte, 1)
            return
        }
        for (index, couple) in open.enumerated() {
            var isOver = false
            if entries[2 + 2 * index].revents != 0 {
                isOver = !pass(from: couple.client, to: couple.server, limit)
                nextReading = EventLoop.now + Self.tick
            }
            if !isOver, entries[3 + 2 * index].revents != 0 {
                isOver = !pass(from: couple.server, to: couple.client, 65_536)
            }
            if isOver { close { $0 == couple.client } }
        }
        if entries[1].revents != 0 { accept(conduct) }
    }

    private mutating func accept(_ conduct: TCPRelay.Conduct) {
        let client = Glibc.accept(listener, nil, nil)
        guard client >= 0 else { return }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        let socket = TCPRelay.socket()
        guard conduct != .hangingUp, TCPRelay.with(server, { connect(socket, $0, $1) }) == 0 else {
            for descriptor in [client, socket] { Glibc.close(descriptor) }
            return
        }
        couples.append(Couple(client: client, server: socket))
    }

    private mutating func close(where isMeant: (CInt) -> Bool) {
        for couple in couples where isMeant(couple.client) {
            Glibc.close(couple.client)
            Glibc.close(couple.server)
        }
        couples.removeAll { isMeant($0.client) }
    }

    /// Forwards received data; returns false if either side has closed the connection.
    private func pass(from source: CInt, to target: CInt, _ limit: Int) -> Bool {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = read(source, &buffer, limit)
        guard count > 0 else { return false }
        var rest = buffer[..<count]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                send(target, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard written > 0 else { return false }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
