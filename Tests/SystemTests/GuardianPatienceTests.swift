import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("A guardian whose writes fail, or that hangs", .serialized)
struct GuardianPatienceTests {
    private static let refused = "bluez refuse WriteValue InProgress"

    @Test("Bridge frozen, 400 writes refused at the deadline: the robot stops nevertheless")
    func frozen() throws {
        // BlueZ does not close the connection, so only writes can stop the robot.
        let it = try RobotBench(scenario: RobotBench.longLink("1min"))
        let bridge = try #require(it.bench.bridge)
        try it.bench.publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":500}"#)
        try it.robot.expectWheels(turning: true)
        bridge.send(SIGSTOP)
        try it.bench.arrange(["\(Self.refused) 400"])
        let start = EventLoop.now
        try it.robot.expectWheels(turning: false, within: .seconds(30))
        print("400 refusals: the robot stands after \(EventLoop.now - start)")
        bridge.send(SIGCONT)
        it.expectStillness(for: .seconds(1), "after waking")
    }

    @Test("Writes that the guardian could not confirm are in status until the robot reads them back")
    func unconfirmed() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        try it.bench.publish("robot/drive/set", #"{"direction":90,"speed":1,"duration_ms":500}"#)
        try it.robot.expectWheels(turning: true)
        bridge.send(SIGSTOP)
        try it.bench.arrange(["\(Self.refused) 6s"])
        let end = EventLoop.now + .milliseconds(1500)
        while it.robot.nextReport(within: end - EventLoop.now) != nil {}
        bridge.send(SIGCONT)
        try bridge.expectLine("could not confirm that the device is at rest")
        try it.bench.watcher.expect("robot/status") { $0.json["unconfirmed"] == true }
        try it.robot.expectWheels(turning: false, within: .seconds(10))
        try it.bench.watcher.expect("robot/status", within: .seconds(10)) { $0.json["unconfirmed"] == false }
        let drive = try it.askWhenCaughtUp("robot/drive/set", #"{"direction":0,"speed":0.5}"#)
        #expect(drive["status"] == "ok", "a healthy robot is not grounded: \(drive)")
    }

    @Test("A clean exit whose last writes fail: the guardian continues until the robot stops")
    func goodbye() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        try it.race()
        // The writes of the bridge before it receives SIGTERM must not fail.
        bridge.send(SIGSTOP)
        // The connection must not close at the end of the session either.
        try it.bench.arrange(["\(Self.refused) 12s", "bluez refuse Disconnect Failed 1"])
        bridge.send(SIGTERM)
        let start = EventLoop.now
        bridge.send(SIGCONT)
        try it.expectRest(since: start, within: .milliseconds(4500), "SIGTERM, goodbye refused")
        #expect(bridge.wait() == 0)
        #expect(guardian.ends(within: .seconds(20)))
        #expect(access("\(it.bench.folder.file("state"))/wills", F_OK) != 0)
    }

    @Test("A previous guardian that does not exit is killed after 15 s, and its wills are executed")
    func predecessorStays() throws {
        let it = try RobotBench(scenario: RobotBench.longLink("20s"))
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        try it.race()
        bridge.send(SIGSTOP)
        try it.bench.arrange(["\(Self.refused) 18s"])
        try it.bench.endBridge(with: SIGKILL)
        try it.bench.watcher.expect("bridge/test/availability", "offline")
        let start = EventLoop.now
        let next = try it.bench.startBridge(configuration: "robot: { allow_weapon: true }\n")
        try next.expectLine("does not exit: it is killed", within: .seconds(20))
        #expect(EventLoop.now - start > .seconds(14))
        try next.expectLine("an earlier bridge left connections or devices that may not be safe")
        try it.expectRest(since: EventLoop.now, within: .seconds(10), "a guardian that does not end")
        #expect(!guardian.isThere)
        while it.bench.watcher.next(within: .milliseconds(10)) != nil {}
        #expect(
            it.bench.watcher.seen.last { $0.topic == "bridge/test/availability" }?.payload == "offline",
            "nothing is begun before the robot stands")
        try it.bench.watcher.expect("robot/availability", "online", within: .seconds(30))
        try it.expectFreshStart("a new bridge")
    }

    @Test("Bridge and guardian killed: the next bridge executes the wills before it connects")
    func leftovers() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        try it.race()
        // A suspended bridge does not start another guardian.
        bridge.send(SIGSTOP)
        guardian.signal(SIGKILL)
        try it.bench.endBridge(with: SIGKILL)
        #expect(guardian.ends)
        let start = EventLoop.now
        let next = try it.bench.startBridge(configuration: "robot: { allow_weapon: true }\n")
        try it.expectRest(since: start, within: .seconds(3), "the next bridge")
        try next.expectLine("an earlier bridge left connections or devices that may not be safe")
        try it.bench.watcher.expect("robot/availability", "online", within: .seconds(15))
    }

    @Test("A second bridge with the same folder leaves the first guardian running and logs why")
    func twin() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        let second = try Program(
            "tactile-bridge", ["run"],
            environment: [
                "TACTILE_BRIDGE_BLUETOOTH_BUS": it.bench.bus.address.description,
                "TACTILE_BRIDGE_BRIDGE_STATE_DIRECTORY": it.bench.folder.file("state"),
                "TACTILE_BRIDGE_MQTT_PORT": "\(it.bench.broker.port)",
            ])
        try second.expectLine("another bridge, process", within: .seconds(25))
        #expect(second.wait() == 69)
        #expect(guardian.isThere)
        #expect(try it.bench.ask("robot/stop/set", "")["status"] == "ok")
    }
}
