import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

extension Fault {
    static let adapter: [Fault] = [
        Fault(
            .bluez, "two bridges on one bus",
            holds:
                "one owns the adapter, and each press of a button is published once; the other connects "
                + "nothing and reports the owner",
            counted: "SIGTERM of the first … the second has the belt", within: .seconds(8)
        ) { try twoBridges() }
    ]

    static let adapterOfDead: [Fault] = [
        Fault(
            .process, "SIGKILL at full speed, refused writes, and another bridge that waits for the adapter",
            holds: "it connects nothing before the guardian has stopped the robot and exited",
            counted: "SIGKILL … the other bridge has the robot", within: .seconds(20)
        ) { try killedBesideAnother() }
    ]

    private static func twoBridges() throws -> Duration {
        let bench = try Bench.withBelt(scenario: belt)
        let second = try bench.startSecondBridge()
        try second.expectLine("another program uses the adapter")
        for _ in 1...3 { try bench.expectOneButton() }
        let time = try time {
            #expect(try bench.endBridge(with: SIGTERM) == 0)
            try bench.watcher.expectHolder("belt", "second")
        }
        for _ in 1...3 { try bench.expectOneButton() }
        return time
    }

    static func killedBesideAnother() throws -> Duration {
        let it = try RobotBench(scenario: RobotBench.longLink("6s"))
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        let second = try it.bench.startSecondBridge(configuration: "robot: { allow_weapon: true }\n")
        try second.expectLine("another program uses the adapter")
        try it.race()
        bridge.send(SIGSTOP)
        try it.bench.arrange(["bluez refuse WriteValue InProgress 3s"])
        let start = EventLoop.now
        try it.bench.endBridge(with: SIGKILL)
        let line = try second.expectLine("another program uses the adapter")
        #expect(line.contains("the guardian of bridge test (process \(guardian.pid),"), "\(line)")
        try it.expectRest(since: start, within: .seconds(6), "SIGKILL, another waits")
        try it.robot.expect("the old link is closed", within: .seconds(10)) {
            $0["event"] == "link" && $0["connected"] == false
        }
        var lines: [String] = []
        while lines.last?.contains("adapter is ready") != true {
            lines.append(try #require(second.nextLine(within: .seconds(10)), "the adapter is not taken over"))
        }
        #expect(
            !lines.contains { $0.contains(" connected") || $0.contains("already connected") }, "\(lines)")
        #expect(guardian.ends(within: .seconds(1)))
        try it.bench.watcher.expectHolder("robot", "second")
        let time = EventLoop.now - start
        try it.expectFreshStart("another bridge")
        return time
    }
}

extension Watcher {
    /// Waits until a bridge reports its connection to a device.
    func expectHolder(_ device: String, _ bridge: String) throws {
        try expect("\(device)/connection", within: .seconds(20)) {
            $0.json["bridge"]?.string == bridge && $0.json["state"] == "connected"
        }
    }
}
