import DBus
import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("A guardian whose writes are refused, or that hangs", .serialized)
struct GuardianPatienceTests {
    private static let refused = "bluez refuse WriteValue InProgress"

    @Test("Bridge frozen, 400 writes refused at the deadline: the robot stands all the same")
    func frozen() throws {
        // A link that BlueZ does not close: nothing but the writes can stop the robot.
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

    @Test("What the guardian could not confirm is in status, until the robot reads it back")
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

    @Test("An orderly end whose goodbye is refused: the guardian goes on until the robot stands")
    func goodbye() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        try it.race()
        // What the bridge itself writes before it is told to end must not fail.
        bridge.send(SIGSTOP)
        // Nor does the link close at the end of the session.
        try it.bench.arrange(["\(Self.refused) 12s", "bluez refuse Disconnect Failed 1"])
        bridge.send(SIGTERM)
        let start = EventLoop.now
        bridge.send(SIGCONT)
        try it.expectRest(since: start, within: .milliseconds(4500), "SIGTERM, goodbye refused")
        #expect(bridge.wait() == 0)
        #expect(guardian.ends(within: .seconds(20)))
        #expect(access("\(it.bench.folder.file("state"))/wills", F_OK) != 0)
    }

    @Test("An earlier bridge's guardian that does not end is killed after 15 s, and its wills carried out")
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
        try next.expectLine("does not end: it is killed", within: .seconds(20))
        #expect(EventLoop.now - start > .seconds(14))
        try next.expectLine("an earlier bridge left devices that may not be safe")
        try it.expectRest(since: EventLoop.now, within: .seconds(10), "a guardian that does not end")
        #expect(!guardian.isThere)
        while it.bench.watcher.next(within: .milliseconds(10)) != nil {}
        #expect(
            it.bench.watcher.seen.last { $0.topic == "bridge/test/availability" }?.payload == "offline",
            "nothing is begun before the robot stands")
        try it.bench.watcher.expect("robot/availability", "online", within: .seconds(30))
        try it.expectFreshStart("a new bridge")
    }

    @Test("Bridge and guardian killed: the next bridge carries the wills out before it connects")
    func leftovers() throws {
        let it = try RobotBench()
        let bridge = try #require(it.bench.bridge)
        let guardian = try bridge.expectGuardian()
        try it.race()
        // A bridge that is stopped starts no other guardian.
        bridge.send(SIGSTOP)
        guardian.signal(SIGKILL)
        try it.bench.endBridge(with: SIGKILL)
        #expect(guardian.ends)
        let start = EventLoop.now
        let next = try it.bench.startBridge(configuration: "robot: { allow_weapon: true }\n")
        try it.expectRest(since: start, within: .seconds(3), "the next bridge")
        try next.expectLine("an earlier bridge left devices that may not be safe")
        try it.bench.watcher.expect("robot/availability", "online", within: .seconds(15))
    }

    @Test("A second bridge with the same folder leaves the first one's guardian alone, and says why")
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
