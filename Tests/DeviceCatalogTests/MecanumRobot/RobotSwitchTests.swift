import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("The robot's switches, its will and its status")
struct RobotSwitchTests {
    @Test("The weapon requires permission and power, runs after power on, and stays off after a stop")
    func weapon() {
        var couple = RobotCouple.powered()
        #expect(couple.outcome("weapon", "on") == "not_supported")
        #expect(couple.outcome("weapon", "off") == "ok")
        couple = RobotCouple(["allow_weapon": true])
        couple.connect()
        #expect(couple.outcome("weapon", "on") == "wrong_mode")
        let power = couple.command("power", "on", run: .zero)
        #expect(couple.outcome("weapon", "on") == "wrong_mode")
        couple.run(.seconds(3))
        #expect(couple.code(power) == "ok")
        #expect(couple.outcome("weapon", "on") == "ok")
        #expect(couple.hasWeapon && couple.status["weapon"] == true)
        couple.command("stop", "")
        #expect(!couple.hasWeapon)
        couple.run(.seconds(5))
        #expect(!couple.hasWeapon && couple.status["weapon"] == false)
    }

    @Test("The will stops the motion and switches the power off, after the end of the newest written motion")
    func will() {
        var couple = RobotCouple.powered()
        #expect(
            couple.machine.will.writes.map { String(decoding: $0.value, as: UTF8.self) } == [
                "0.00,0.00", "0.00,0.00", "010",
            ])
        #expect(couple.machine.will.writes.allSatisfy { $0.kind == .withoutResponse })
        let start = couple.now
        couple.command("drive", #"{"direction":90,"speed":1,"duration_ms":2000}"#, run: .milliseconds(50))
        #expect(couple.machine.will.deadline == start + .seconds(2))
        couple.command("drive", #"{"speed":1,"duration_ms":100}"#, run: .milliseconds(1))
        #expect(couple.machine.will.deadline == start + .milliseconds(150))
        let atDeadline = couple.machine.will.deadlineWrites?.map { String(decoding: $0.value, as: UTF8.self) }
        #expect(atDeadline == ["0.00,0.00", "0.00,0.00", "011"])
        couple.run(.seconds(1))
        #expect(couple.machine.will.deadline ?? .zero > couple.now + .seconds(200), "only the power is left")
        #expect(couple.machine.will.deadlineWrites == couple.machine.will.writes)
        couple.command("power", "off")
        #expect(couple.machine.will.deadline == nil)
    }

    @Test(
        "The status shows the state of the connection in the words of the makers' app",
        arguments: [
            (LinkStage.disconnected, "disconnected"), (.searching, "searching"), (.connecting, "connecting"),
            (.preparing, "connecting"), (.error, "error"),
        ])
    func connection(stage: LinkStage, word: String) {
        var couple = RobotCouple()
        couple.tell(stage)
        couple.run(.milliseconds(200))
        #expect(couple.status["connection"]?.string == word)
        couple.connect()
        #expect(couple.status["connection"] == "connected")
        couple.drop()
        couple.tell(stage)
        couple.run(.milliseconds(200))
        #expect(couple.status["connection"]?.string == word)
    }

    @Test("The status is published at most five times a second, but immediately after a stop")
    func status() {
        var couple = RobotCouple.powered()
        for number in 0..<500 {
            couple.command("drive", #"{"direction":\#(number % 360),"speed":1}"#, run: .milliseconds(10))
        }
        #expect((20...27).contains(couple.reports.count), "\(couple.reports.count) in five seconds")
        for (report, next) in zip(couple.reports, couple.reports.dropFirst()) {
            #expect(next.time - report.time >= .milliseconds(200))
        }
        let start = couple.now
        couple.command("stop", "", run: .zero)
        #expect(couple.reports.last?.time == start && couple.status["stopped_by"] == "stop")
        #expect(couple.status["direction"] == 0 && couple.status["speed"] == 0)
    }
}
