import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite(
    "Belt, TAP and robot at the same time through the distribution's bluetoothd", .serialized,
    .enabled(if: RealBench.isThere, RealBench.remark))
struct RealBlueZFamiliesTests {
    @Test("Three families on three adapters work simultaneously, and every kind of stop stops the robot")
    func allAtOnce() throws {
        let bench = try RealBench.withAllFamilies()
        var robot = try RealRobot(bench)
        try useAll(bench, robot)
        try stopsByCommand(robot)
        try clockJumps(robot)
        try stopByLostBroker(bench, robot)
        robot = try RealRobot(bench)
        try outOfReach(bench, robot)
        try useAll(bench, robot)
        try anotherName(bench)
        try stopsByDeath(bench, robot)
    }

    /// Uses all three devices at the same time, and stops them with one message.
    private func useAll(_ bench: RealBench, _ robot: RealRobot) throws {
        #expect(try bench.ask("belt/mode/set", "app")["status"] == "ok")
        try bench.publish("belt/vibrate/set", "90")
        try bench.simulator.expectMotors([4], within: .seconds(20))
        try bench.simulator.type("tap 5")
        try bench.watcher.expect("tap/tapped", within: .seconds(20)) {
            $0.json["fingers"] == ["thumb", "middle"]
        }
        try robot.race()
        let answer = try bench.ask("all/stop/set", "now")
        #expect(answer["status"] == "ok" && answer["members"]?.array?.count == 3, "\(answer)")
        try bench.simulator.expectStillness(of: ["feel", "wheels"], within: .seconds(20))
        bench.note("all three were used")
    }

    /// Motion that ends by its lease, and motion that ends by a command.
    private func stopsByCommand(_ robot: RealRobot) throws {
        try robot.measure("drive of 1 s", by: "lease", lease: 1000) { $0 }
        try robot.measure("stop", by: "stop") { _ in try robot.sendStop() }
        try robot.measure("emergency stop", by: "emergency_stop") { _ in try robot.sendEmergencyStop() }
    }

    /// Sets the machine's clock a day ahead during a drive, and back during the next: leases do not depend on it.
    private func clockJumps(_ robot: RealRobot) throws {
        for jump in ["1 day", "1 day ago"] {
            try robot.measure("clock set \(jump)", by: "lease", within: .seconds(5), lease: 3000) { driven in
                try TestProcess.run(["date", "--set", jump])
                return driven
            }
        }
    }

    private func stopByLostBroker(_ bench: RealBench, _ robot: RealRobot) throws {
        try robot.measure("broker killed", by: nil) { _ in
            let start = EventLoop.now
            bench.broker.kill()
            return start
        }
        try bench.broker.start()
        try bench.watchAnew()
        try bench.watcher.expect("robot/status", within: .seconds(60), fromStart: true) {
            // A bridge that was late reports that instead; the lost broker removes the power.
            ["broker_lost", "late"].contains($0.json["stopped_by"]) && $0.json["power"] == false
        }
    }

    /// All devices leave radio range, the robot at full speed, and return: each is usable, and nothing is resumed.
    private func outOfReach(_ bench: RealBench, _ robot: RealRobot) throws {
        try robot.measure("out of reach", by: nil, within: .seconds(4)) { _ in
            let start = EventLoop.now
            try bench.radio("mute", "3")
            return start
        }
        try bench.watcher.expect("robot/status", within: .seconds(60)) {
            $0.json["stopped_by"] == "link_lost" && $0.json["power"] == false
        }
        try bench.radio("mute", "1")
        try bench.radio("mute", "2")
        try bench.expect("offline", ["belt", "tap"], within: .seconds(60))
        // The bridge connects in spite of the weak signal, as the radio detects whether the device is too far away.
        try bench.radio("rssi", "3", "-96")
        for adapter in ["1", "2", "3"] { try bench.radio("unmute", adapter) }
        let back = EventLoop.now
        try bench.expect("online", within: .seconds(120))
        bench.note("in reach again: all three are online after \(EventLoop.now - back)")
        robot.expectStillness("in reach again")
        let connection = bench.watcher.seen.last {
            $0.topic == "robot/connection" && $0.json["rssi"]?.integer != nil
        }
        #expect(connection?.json["rssi"] == -96, "\(connection?.payload ?? "nothing")")
    }

    /// Unplugs the adapter, which returns under another name.
    private func anotherName(_ bench: RealBench) throws {
        try bench.radio("unplug", "0")
        try bench.expect("offline", within: .seconds(60))
        try bench.radio("replug", "0")
        let start = EventLoop.now
        try bench.expect("online", within: .seconds(120))
        bench.note("adapter back under another name: all three are online after \(EventLoop.now - start)")
        let connection = bench.watcher.seen.last { $0.topic == "robot/connection" }
        #expect(connection?.json["bluetooth_adapter"] == "hci4", "\(connection?.payload ?? "nothing")")
    }

    /// Ends the process with SIGTERM and with SIGKILL.
    private func stopsByDeath(_ bench: RealBench, _ robot: RealRobot) throws {
        try robot.measure("kill -TERM", by: nil) { _ in
            let start = EventLoop.now
            bench.bridge.send(SIGTERM)
            return start
        }
        #expect(bench.bridge.end(with: SIGTERM) == 0)

        try bench.startBridge()
        let guardian = try bench.bridge.expectGuardian(within: .seconds(60))
        try bench.watchAnew()
        try bench.expectOnline()
        try robot.measure("kill -9, by the guardian", by: nil) { _ in
            let start = EventLoop.now
            bench.bridge.end(with: SIGKILL)
            return start
        }
        try bench.simulator.expect("the robot's link is closed", within: .seconds(20)) {
            $0["event"] == "link" && $0["device"] == "robot" && $0["connected"] == false
        }
        bench.note("kill -9: the link is closed")
        #expect(guardian.ends)
    }
}

extension RealBench {
    /// One device of each family; the TAP has these choices. By default it requires encryption and has a
    /// keyboard service (HID), which bluetoothd uses itself.
    static func allFamilies(tap choices: String = "encryption: all") -> String {
        """
        devices:
          belt: { kind: belt, choices: { pairing: anytime, wait_signal: off } }
          tap: { kind: tap, choices: { \(choices) } }
          robot: { kind: robot }
        """
    }

    private static let allFamiliesKnown = """
        robot: { max_lease_ms: 5000 }
        devices:
          belt: { family: belt, address: "02:B1:7E:00:00:01" }
          tap: { family: tap, address: "02:B1:7E:00:00:02" }
          robot: { family: robot, address: "02:B1:7E:00:00:03" }
        """

    /// Starts all programs with a device of each family, and waits until all are online.
    static func withAllFamilies() throws -> RealBench {
        let bench = try RealBench(
            scenario: allFamilies(), adapters: 3, hosts: "hci0, hci4", configuration: allFamiliesKnown)
        bench.note("everything is started")
        try bench.expectOnline()
        return bench
    }

    /// Waits until all three devices are online.
    func expectOnline() throws {
        let start = EventLoop.now
        do {
            try watcher.expectAll(
                [
                    "belt/availability": "online", "tap/availability": "online",
                    "robot/availability": "online", "tap/input_mode": "controller",
                ], within: .seconds(150), fromStart: true)
        } catch {
            printLogs()
            throw error
        }
        note("belt, TAP and robot are online after \(EventLoop.now - start)")
    }

    /// Waits until devices are online, or offline, from here on.
    func expect(_ availability: String, _ names: [String] = ["belt", "tap", "robot"], within limit: Duration)
        throws
    {
        try watcher.expectAll(
            Dictionary(uniqueKeysWithValues: names.map { ("\($0)/availability", availability) }),
            within: limit)
    }
}

extension Program {
    /// Waits until neither motors nor wheels move, in any order.
    fileprivate func expectStillness(of events: Set<String>, within limit: Duration) throws {
        var open = events
        try expect("rest of \(events.sorted())", within: limit) { line in
            guard let event = line["event"]?.string else { return false }
            let wheels = ["left_front", "right_front", "left_rear", "right_rear"]
            if event == "feel", line["motors"] == [] { open.remove(event) }
            if event == "wheels", wheels.allSatisfy({ line[$0] == 0 }) { open.remove(event) }
            return open.isEmpty
        }
    }
}
