import BridgeTesting
import DBus
import EventLoop
import Glibc
import JSON
import Synchronization
import Testing

@Suite("When the host sleeps", .serialized)
struct SleepTests {
    /// Plays logind on the bench's bus.
    private final class Login: Sendable {
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

        /// How often the sleep was held up.
        var count: Int { state.withLock(\.taken) }

        /// Whether the newest one who holds up the sleep lets go in time.
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

    @Test("The host's sleep waits until the robot stands and has no power; nothing is resumed afterwards")
    func sleep() async throws {
        let loop = try EventLoop.start(name: "logind")
        defer { loop.stop() }
        let bench = try Bench()
        let login = try await Login(bench.bus.address, loop: loop)
        let it = try RobotBench(on: bench)
        #expect(login.count == 1)
        try it.race()
        let start = EventLoop.now
        try await login.prepareForSleep(true)
        try it.expectRest(since: start, within: .milliseconds(300), "the host goes to sleep")
        #expect(login.isReleased(within: 2000))
        print("the host may sleep after \(EventLoop.now - start)")
        #expect(try bench.ask("robot/drive/set", #"{"speed":1,"id":1}"#)["code"] == "expired")
        try bench.watcher.expect("robot/status") {
            $0.json["stopped_by"] == "suspend" && $0.json["power"] == false
        }
        try await login.prepareForSleep(false)
        try it.expectFreshStart("the host is awake")
        #expect(login.count == 2)
    }
}
