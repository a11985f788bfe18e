import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

extension Fault {
    static let process: [Fault] = [
        Fault(
            .process, "SIGTERM while a belt vibrates",
            holds: "silence, `offline` for belt and bridge, exit code 0", counted: "SIGTERM … `offline`",
            within: .seconds(2)
        ) { try terminated() },
        Fault(
            .process, "SIGTERM after each line that it logs while it starts",
            holds:
                "exit status 0 (or the signal, if nothing had started), no process and no `online` are left",
            counted: "SIGTERM … its exit, the longest", within: .seconds(3)
        ) { try terminatedAtStart() },
        Fault(
            .process, "SIGKILL",
            holds: "`offline` by its last will; the next bridge serves the belt",
            counted: "the next bridge's start … `online`", within: .seconds(10)
        ) { try killed() },
    ]

    static func terminated() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let simulator = try #require(bench.simulator)
        try bench.publish("belt/mode/set", "app")
        try bench.watcher.expect("belt/mode", "app")
        try bench.publish("belt/vibrate/set", "90")
        try simulator.expectMotors([4])
        let start = EventLoop.now
        bench.bridge?.send(SIGTERM)
        try bench.watcher.expectAll(
            ["belt/availability": "offline", "bridge/test/availability": "offline"], within: .seconds(5))
        let time = EventLoop.now - start
        try simulator.expectMotors([])
        #expect(try bench.endBridge(with: SIGTERM) == 0)
        return time
    }

    static func terminatedAtStart() throws -> Duration {
        let bench = try Bench()
        // By default BlueZ takes two seconds to disconnect, which would add up here.
        try bench.startSimulator(scenario: "bluez: { disconnect_time: 20ms }\ndevices: { belt: }")
        var worst = Duration.zero
        var statuses: [CInt] = []
        var isOnline = false
        while !isOnline {
            let bridge = try bench.startBridge()
            var guardian: Other?
            for number in 0...statuses.count {
                let line = try #require(bridge.nextLine(within: .seconds(10)), "line \(number)")
                if line.contains("guardian started") { guardian = Other(pid: try bridge.guardian(in: line)) }
                isOnline = isOnline || line.contains(" online")
            }
            let start = EventLoop.now
            statuses.append(try bench.endBridge(with: SIGTERM))
            worst = max(worst, EventLoop.now - start)
            #expect(guardian?.ends ?? true)
            try #require(statuses.count < 100)
        }
        print("SIGTERM at its start: exit codes \(statuses)")
        #expect(statuses.allSatisfy { $0 == 0 || $0 == 128 + SIGTERM } && statuses.last == 0)
        let watcher = try bench.watchAnew()
        while watcher.next(within: .milliseconds(100)) != nil {}
        #expect(!watcher.seen.contains { $0.payload == "online" }, "\(watcher.seen)")
        return worst
    }

    static func killed() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        try bench.endBridge(with: SIGKILL)
        try bench.watcher.expect("bridge/test/availability", "offline", within: .seconds(5))
        let start = EventLoop.now
        try bench.startBridge()
        try bench.watcher.expect("belt/availability", "online", within: .seconds(20))
        let time = EventLoop.now - start
        try bench.expectOK("belt/intensity/set", "55")
        return time
    }
}
