import EventLoop
import Glibc
import HostTesting
import JSON
import Testing

@Suite("Two bridges on two hosts, and one robot between them", .serialized)
struct AirRobotTests {
    @Test("A bridge that takes over a robot does not switch its power on and keeps the emergency stop")
    func takenOver() throws {
        // The robot joins on both bridges, so both track that no emergency stop is set.
        let it = try AirBench("robot", configuration: "robot: { power_on_connect: true }\n", permits: true)
        let watcher = it.bench.watcher
        try watcher.expect("robot/status", fromStart: true) { $0.json["power"] == true }
        try it.bench.expectOpenRobot()
        try it.bench.publish("robot/drive/set", RobotBench.fullSpeed)
        try it.air.expectWheels(turning: true)

        // A cut-off host while the robot drives: the firmware stops the robot, and B does not switch the power on.
        try it.air.type("move robot B -60")
        try it.setFrozen(true, .a)
        try it.air.expectWheels(turning: false)
        try it.expectHolder("robot", .b)
        try it.expectNoPower("taken over by B")
        #expect(try it.bench.ask("robot/drive/set", #"{"direction":0,"speed":1}"#)["code"] == "wrong_mode")

        // An emergency stop on B also applies on A, which held the robot earlier and has not received it.
        #expect(try it.bench.ask("robot/emergency_stop/set", "")["status"] == "ok")
        try it.setFrozen(false, .a)
        try it.roam("robot", to: .a)
        try watcher.expect("robot/status") {
            $0.json["connection"] == "connected" && $0.json["emergency_stop"] == true
        }
        try it.bench.expectOpenRobot()
        let answer = try it.bench.ask("robot/drive/set", #"{"speed":1}"#)
        #expect(answer["message"]?.string?.contains("the emergency stop is set") == true, "\(answer)")
        #expect(try it.bench.ask("robot/power/set", "on")["status"] == "ok")
        try it.bench.expectOpenRobot()
        try it.bench.publish("robot/drive/set", #"{"direction":0,"speed":0.5}"#)
        try it.air.expectWheels(turning: true)
    }
}

extension AirBench {
    /// The firmware accepts power no earlier than 2.5 s after a connection.
    fileprivate func expectNoPower(_ what: String) throws {
        let end = EventLoop.now + .seconds(3)
        while let message = bench.watcher.next(within: end - EventLoop.now) {
            guard message.topic == "robot/status" else { continue }
            #expect(message.json["power"] != true, "\(what): \(message)")
        }
    }
}
