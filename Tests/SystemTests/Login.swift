import DBus
import EventLoop
import Glibc
import Synchronization
import Testing

/// Simulates logind on the bench's bus.
final class Login: Sendable {
    static let manager = "org.freedesktop.login1.Manager"
    static let path: ObjectPath = "/org/freedesktop/login1"

    private let connection: Connection
    private let state = Mutex<(taken: Int, readEnds: [CInt])>((0, []))

    init(_ bus: Address, loop: EventLoop) async throws {
        connection = try await Connection.open(bus, loop: loop)
        let inhibit = Method.immediate("Inhibit", takes: "ssss", returns: "h") { [weak self] call in
            let wanted = ["sleep", "Tactile Bridge", "robots and vibrations are stopped", "delay"]
            let said = call.arguments.map(\.string)
            guard let self, said == wanted else {
                throw DBusError(name: "org.freedesktop.DBus.Error.InvalidArgs", message: "\(said)")
            }
            return [.descriptor(take())]
        }
        try await connection.export([Interface(Self.manager, methods: [inhibit])], at: Self.path)
        #expect(try await connection.requestName("org.freedesktop.login1") == .primaryOwner)
    }

    private func take() -> Descriptor {
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        state.withLock { state in
            state.taken += 1
            state.readEnds.append(ends[0])
        }
        return Descriptor(adopting: ends[1])
    }

    /// The number of sleep delays taken.
    var count: Int { state.withLock(\.taken) }

    /// Whether the newest sleep delay is released in time.
    func isReleased(within milliseconds: CInt) -> Bool {
        guard let end = state.withLock(\.readEnds.last) else { return false }
        var entry = pollfd(fd: end, events: CShort(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0 && entry.revents & CShort(POLLHUP) != 0
    }

    func prepareForSleep(_ isBeginning: Bool) async throws {
        try await connection.send(
            Message(
                signal: "PrepareForSleep", of: Self.manager, at: Self.path, [.bool(isBeginning)]))
        try await connection.flush()
    }
}
