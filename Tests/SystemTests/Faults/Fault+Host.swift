import EventLoop
import Foundation
import Glibc
import HostTesting
import JSON
import Testing

extension Fault {
    static let host: [Fault] = [
        Fault(
            .host, "the bridge is stopped for 30 s (SIGSTOP; 3 s in `deploy/test`)",
            holds: "the device's messages of that time arrive, and it obeys",
            counted: "SIGCONT … the event that waited", within: .seconds(10)
        ) { try stopped() },
        Fault(
            .host, "out of file descriptors while the broker comes back",
            holds: "logged, retried, and no event is lost",
            counted: "descriptors are available … the event that waited", within: .seconds(10)
        ) { try noDescriptors() },
        Fault(
            .host, "no room for the state file",
            holds: "logged once; devices obey; the state is stored as soon as there is room",
            counted: "there is room … the state is stored", within: .seconds(10)
        ) { try noRoom() },
    ]

    static func stopped() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let bridge = try #require(bench.bridge)
        bridge.send(SIGSTOP)
        let end = EventLoop.now + (takesItsTime ? .seconds(30) : .seconds(3))
        try bench.act("belt press home")
        while bench.watcher.next(within: end - EventLoop.now) != nil {}
        bridge.send(SIGCONT)
        let time = try time { try bench.watcher.expect("belt/button", within: .seconds(20)) }
        try bench.expectOK("belt/intensity/set", "55")
        return time
    }

    static func noDescriptors() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let bridge = try #require(bench.bridge)
        let pid = try #require(bridge.pid)
        bench.broker.kill()
        try bridge.expectLine("broker lost")
        let used = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").compactMap {
            Int($0)
        }
        // The lowest free descriptor number: open files stay open, and no further one can be opened.
        let free = (0...).first { !used.contains($0) } ?? 0
        try limit(pid, "nofile", "\(free)")
        try bench.act("belt press home")
        try bench.broker.start()
        try bridge.expectLine("open files", within: .seconds(15))
        let watcher = try bench.watchAnew()
        let start = EventLoop.now
        try limit(pid, "nofile", "1024")
        try watcher.expect("belt/button", within: .seconds(20))
        let time = EventLoop.now - start
        try bench.expectOK("belt/intensity/set", "55")
        return time
    }

    static func noRoom() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let bridge = try #require(bench.bridge)
        let pid = try #require(bridge.pid)
        try limit(pid, "fsize", "0")
        try bench.publish("bridge/test/request/disconnect", "belt")
        try bridge.expectLine("the state cannot be stored")
        try bench.watcher.expect("belt/availability", "offline")
        let time = try time {
            try limit(pid, "fsize", "unlimited")
            try bridge.expectLine("the bridge can store its state again", within: .seconds(20))
        }
        try bench.endBridge(with: SIGKILL)
        let former = bench.watcher.seen.last { $0.topic == "belt/connection" }?.json["since"]
        try bench.startBridge()
        // The new bridge may have published it before the watcher subscribes.
        try bench.watchAnew().expect("belt/connection", fromStart: true) { message in
            message.json["state"] == "disconnected" && message.payload.contains("by request")
                && message.json["since"] != former
        }
        return time
    }
}
