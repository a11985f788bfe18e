import Foundation
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import HostServices

@Suite("Reports to the service manager")
struct SupervisorTests {
    @Test("Without a service manager there is no supervisor")
    func nobody() {
        #expect(Supervisor { _ in nil } == nil)
        #expect(Supervisor { ["NOTIFY_SOCKET": "relative"][$0] } == nil)
    }

    @Test(
        "The watchdog's interval applies only to this process",
        arguments: [
            ([:], nil), (["WATCHDOG_USEC": "3000000"], Duration.seconds(3)),
            (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1"], nil),
            (["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "\(getpid())"], .seconds(3)),
            (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "soon"], nil),
        ] as [([String: String], Duration?)])
    func interval(variables: [String: String], expected: Duration?) throws {
        let supervisor = try #require(Supervisor { $0 == "NOTIFY_SOCKET" ? "/nowhere" : variables[$0] })
        #expect(supervisor.watchdog == expected)
    }

    @Test("States arrive at a socket in the file system and at an abstract socket", arguments: [false, true])
    func arrival(isAbstract: Bool) throws {
        let socket = try Listener(isAbstract: isAbstract)
        let supervisor = try #require(Supervisor { $0 == "NOTIFY_SOCKET" ? socket.name : nil })
        supervisor.tell(.ready, .status("two devices"))
        supervisor.tell(.alive)
        #expect(socket.receive() == "READY=1\nSTATUS=two devices")
        #expect(socket.receive() == "WATCHDOG=1")
    }

    @Test("A socket without a listener does no harm")
    func deaf() throws {
        let supervisor = try #require(Supervisor { $0 == "NOTIFY_SOCKET" ? "/nowhere/at/all" : nil })
        supervisor.tell(.ready)
    }

    @Test("The bridge is alive while every part is; a hung part is logged, and status changes are reported")
    func parts() async throws {
        let socket = try Listener(isAbstract: true)
        let variables = ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "3000000"]
        let supervisor = try #require(Supervisor { variables[$0] })
        let (rounds, next) = AsyncStream.makeStream(of: Duration.self)
        let (beats, beat) = AsyncStream.makeStream(of: Void.self)
        let (isAlive, isConnected) = (Flag(true), Flag(false))
        let heartbeat = Heartbeat(
            supervisor: supervisor,
            parts: [.init(name: "loop") { true }, .init(name: "broker") { isAlive.value }],
            condition: { isConnected.value ? "devices online: 1 of 2" : "waiting for the broker" },
            sleep: { interval in
                next.yield(interval)
                for await _ in beats { return }
                throw CancellationError()
            }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let task = Task { try await heartbeat.run() }
        var intervals = rounds.makeAsyncIterator()
        #expect(await intervals.next() == .seconds(1))
        #expect(socket.receive() == "READY=1")
        #expect(socket.receive() == "WATCHDOG=1\nSTATUS=waiting for the broker")
        for (lives, connected, word) in [
            (true, false, "WATCHDOG=1"),
            (true, true, "WATCHDOG=1\nSTATUS=devices online: 1 of 2"),
            (false, true, "STATUS=no progress: broker"),
            (true, true, "WATCHDOG=1\nSTATUS=devices online: 1 of 2"),
        ] {
            isAlive.value = lives
            isConnected.value = connected
            beat.yield()
            _ = await intervals.next()
            #expect(socket.receive() == word)
        }
        task.cancel()
        beat.finish()
        try await task.value
        #expect(socket.receive() == "STOPPING=1")
    }
}

/// A value that a test changes while other threads read it.
private final class Flag: Sendable {
    private let stored: Atomic<Bool>
    init(_ value: Bool) { stored = Atomic(value) }
    var value: Bool {
        get { stored.load(ordering: .sequentiallyConsistent) }
        set { stored.store(newValue, ordering: .sequentiallyConsistent) }
    }
}

/// A socket in place of a service manager's.
private final class Listener {
    let name: String
    private let descriptor: Int32

    init(isAbstract: Bool) throws {
        let unique = "tactile-bridge-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        name = isAbstract ? "@\(unique)" : FileManager.default.temporaryDirectory.path + "/\(unique)"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(name.utf8)
        if isAbstract { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let status = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
        }
        try #require(status == 0)
        // A missing message fails the test instead of blocking it.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unlink(name) }
    }

    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
