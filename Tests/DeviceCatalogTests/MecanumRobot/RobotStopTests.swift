import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Stops of the robot")
struct RobotStopTests {
    private static let fullSpeed = #"{"direction":90,"speed":1,"duration_ms":2000}"#

    /// Returns a robot at full speed with its weapon on.
    private static func racing(_ settings: Arguments = [:]) -> RobotCouple {
        var all = settings
        all.values["allow_weapon"] = true
        var couple = RobotCouple.powered(all)
        couple.command("weapon", "on")
        couple.command("drive", fullSpeed, run: .milliseconds(120))
        #expect(!couple.stands && couple.hasWeapon)
        couple.forget()
        return couple
    }

    @Test("A stop is written immediately, ahead of queued writes; queued commands are dropped and answered")
    func stop() {
        var couple = Self.racing()
        couple.isStuck = true
        couple.run(.milliseconds(100))
        let waiting = couple.command("drive", Self.fullSpeed, run: .zero)
        let start = couple.now
        let stop = couple.command("stop", "", run: .zero)
        #expect(couple.code(waiting) == "device_error")
        couple.isStuck = false
        couple.run(.milliseconds(20))
        #expect(couple.code(stop) == "ok")
        #expect(couple.stands && !couple.hasWeapon && couple.wheelsAt - start < .milliseconds(5))
        // The first write had already been passed to the host when it hung. None of the queued writes follow.
        #expect(
            couple.arrivals.prefix(4).map { "\($0.characteristic) \($0.value)" } == [
                "movement 90.00,50.00", "movement 0.00,0.00", "rotation 0.00,0.00", "buttons 011",
            ])
        #expect(couple.arrivals.dropFirst().prefix(3).allSatisfy { $0.priority == .stop })
        couple.run(.seconds(5))
        #expect(couple.arrivals.dropFirst().allSatisfy { $0.value == "0.00,0.00" || $0.value == "011" })
        #expect(couple.stands && couple.status["stopped_by"] == "stop" && couple.status["power"] == true)
    }

    @Test(
        "Every cause stops the robot; if nobody can drive it, its power is switched off too",
        arguments: [
            (StopCause.allStop, false), (.late, true), (.brokerLost, false), (.shutdown, false),
            (.reload, false), (.suspend, false), (.pathLost, true), (.pathGone, false),
        ])
    func causes(cause: StopCause, keepsPower: Bool) {
        var couple = Self.racing()
        let waiting = couple.command("drive", Self.fullSpeed, run: .zero)
        let start = couple.now
        couple.feed(.stop(cause))
        let word = cause == .pathGone ? "path_lost" : cause.rawValue
        #expect(couple.status["stopped_by"]?.string == word)
        #expect(couple.status["moving"] == false && couple.status["lease_ms"] == 0)
        couple.run(.seconds(10))
        #expect(couple.code(waiting) == "device_error")
        #expect(couple.stands && !couple.hasWeapon && couple.wheelsAt - start < .milliseconds(10))
        #expect(couple.status["power"]?.bool == keepsPower)
        let next = couple.command("drive", Self.fullSpeed, run: .milliseconds(200))
        #expect(couple.code(next) == (keepsPower ? "ok" : "wrong_mode"))
        #expect(couple.stands != keepsPower)
    }

    @Test("If a reload disconnects the robot, the reload is reported as the cause of the stop")
    func reloaded() {
        var couple = Self.racing()
        couple.feed(.stop(.reload))
        couple.feed(.close)
        #expect(couple.status["stopped_by"] == "reload")
    }

    @Test("An emergency stop first cuts the power, is read back, and lasts until power is switched on")
    func emergency() {
        var couple = Self.racing()
        let id = couple.command("emergency_stop", "{nonsense")
        #expect(couple.code(id) == "invalid_payload", "only the gate of the bridge lets that pass")
        couple.forget()
        let start = couple.now
        let stop = couple.command("emergency_stop", "")
        #expect(couple.code(stop) == "ok kept")
        #expect(couple.arrivals.first?.value == "010" && couple.wheelsAt - start < .milliseconds(5))
        #expect(couple.status["emergency_stop"] == true && couple.status["power"] == false)
        #expect(couple.latch == .latched)
        #expect(couple.outcome("drive", Self.fullSpeed) == "wrong_mode")
        #expect(couple.outcome("power", "off") == "ok")
        #expect(couple.status["emergency_stop"] == true)
        couple.drop()
        couple.connect(run: .seconds(5))
        #expect(couple.status["emergency_stop"] == true)
        #expect(couple.outcome("power", "on") == "ok")
        #expect(couple.latch == .clear && couple.status["emergency_stop"] == false)
        #expect(couple.stands)
    }

    @Test("After a different read-back, the emergency stop is written again")
    func refusedTwice() {
        var couple = Self.racing()
        couple.act("refuse 2")
        let id = couple.command("emergency_stop", "", run: .milliseconds(200))
        #expect(couple.code(id) == "ok kept" && couple.failures.isEmpty)
        #expect(couple.arrivals.count { $0.characteristic == "buttons" && $0.priority == .stop } == 3)
    }

    @Test("After three different read-backs, the robot is disconnected and does not get its power back")
    func refusedThreeTimes() {
        var couple = Self.racing(["power_on_connect": true])
        couple.act("refuse 3")
        let id = couple.command("emergency_stop", "", run: .milliseconds(200))
        #expect(couple.code(id) == "device_error" && !couple.isLinked)
        #expect(couple.failures.map(\.code) == [.handshake])
        #expect(couple.status["stopped_by"] == "emergency_stop" && couple.status["connection"] != "connected")
        couple.connect(run: .seconds(10))
        #expect(couple.isReady && couple.stands && couple.status["power"] == false)
    }

    @Test("A robot that does not answer reads is disconnected within four seconds")
    func silent() {
        var couple = Self.racing()
        let id = couple.command("emergency_stop", "", run: .milliseconds(1))
        couple.isStuck = true
        couple.run(.seconds(4))
        #expect(couple.code(id) == "device_error" && couple.failures.count == 1)
    }

    @Test("A change of field orientation stops a moving robot, but not a standing one")
    func field() {
        var couple = Self.racing()
        couple.command("field_orientation", "off", run: .milliseconds(200))
        #expect(couple.stands && !couple.hasWeapon)
        #expect(couple.status["stopped_by"] == "field_orientation" && couple.status["power"] == true)
        couple.run(.seconds(5))
        #expect(couple.stands)
    }

    @Test("A failed stop is written repeatedly until it succeeds")
    func failing() {
        var couple = Self.racing()
        couple.failure = OperationError(.failed, "in progress")
        let id = couple.command("stop", "", run: .milliseconds(500))
        #expect(couple.code(id) == "device_error" && !couple.stands)
        #expect(couple.machine.will.deadline != nil)
        couple.failure = nil
        couple.run(.milliseconds(110))
        #expect(couple.stands && !couple.hasWeapon)
    }

    @Test("A failed motion is not written later")
    func failingDrive() {
        var couple = RobotCouple.powered()
        couple.failure = OperationError(.failed, "in progress")
        let id = couple.command("drive", Self.fullSpeed, run: .milliseconds(50))
        #expect(couple.code(id) == "device_error")
        couple.failure = nil
        couple.run(.seconds(1))
        #expect(couple.stands && couple.arrivals.allSatisfy { $0.value == "0.00,0.00" || $0.value == "011" })
        #expect(couple.status["stopped_by"] == "write_failed")
    }

    @Test("The power is switched off after a time without driving")
    func powerTimeout() {
        var couple = RobotCouple.powered(["power_timeout_s": 20])
        for _ in 0..<30 { couple.command("drive", #"{"turn":0.5}"#, run: .seconds(1)) }
        #expect(couple.status["power"] == true)
        couple.run(.seconds(18))
        #expect(couple.status["power"] == true)
        couple.run(.seconds(2))
        #expect(couple.status["power"] == false && couple.status["stopped_by"] == "power_timeout")
    }

    @Test(
        "A bridge suspended beyond a lease first stops the robot, and refuses old commands")
    func slept() {
        var couple = Self.racing()
        couple.sleep(.seconds(30))
        let id = couple.command("drive", Self.fullSpeed, age: .seconds(30), run: .milliseconds(100))
        #expect(couple.code(id) == "expired")
        #expect(couple.stands && !couple.hasWeapon && couple.status["stopped_by"] == "lease")
        #expect(couple.arrivals.allSatisfy { $0.value == "0.00,0.00" || $0.value == "011" })
    }

    @Test("After a lost link, nothing resumes: the robot stands still and has no power")
    func linkLost() {
        var couple = Self.racing()
        let open = couple.command("drive", Self.fullSpeed, run: .zero)
        couple.drop()
        #expect(couple.code(open) == "device_offline" && couple.status["stopped_by"] == "link_lost")
        #expect(couple.stands && !couple.hasWeapon)
        couple.connect(run: .seconds(5))
        #expect(couple.stands && couple.status["power"] == false)
        couple.command("power", "on", run: .seconds(5))
        #expect(couple.stands && !couple.hasWeapon && couple.status["power"] == true)
    }

    @Test("Power on connect waits for the firmware, moves nothing, and does not override an emergency stop")
    func powerOnConnect() {
        var couple = RobotCouple(["power_on_connect": true])
        couple.connect(run: .seconds(2))
        #expect(couple.status["power"] == false)
        couple.run(.seconds(1))
        #expect(couple.status["power"] == true && couple.stands)
        couple.command("drive", Self.fullSpeed)
        #expect(!couple.stands)
        couple.drop()
        couple.connect(run: .seconds(10))
        #expect(couple.status["power"] == true && couple.stands)
        var latched = RobotCouple(["power_on_connect": true], latch: .latched)
        latched.connect(run: .seconds(10))
        #expect(latched.status["power"] == false && latched.status["emergency_stop"] == true)
    }

    @Test("Power on connect is skipped if another bridge had the robot, until the next link")
    func takenOver() {
        var couple = RobotCouple(["power_on_connect": true])
        couple.connect(run: .seconds(10), isTakenOver: true)
        #expect(couple.status["power"] == false && couple.status["emergency_stop"] == false)
        couple.command("power", "on", run: .seconds(3))
        #expect(couple.status["power"] == true)
        couple.drop()
        couple.connect(run: .seconds(10))
        #expect(couple.status["power"] == true && couple.stands)
    }

    @Test("An emergency stop for an offline robot is kept")
    func kept() {
        var couple = RobotCouple(["power_on_connect": true])
        #expect(couple.outcome("emergency_stop", "") == "kept kept")
        #expect(couple.latch == .latched && couple.status["emergency_stop"] == true)
        couple.connect(run: .seconds(10))
        #expect(couple.status["power"] == false)
    }

    @Test("A clean close stops the motion, switches the power off and disconnects")
    func close() {
        var couple = Self.racing()
        couple.feed(.stop(.shutdown))
        couple.feed(.close)
        #expect(couple.isLinked)
        couple.run(.milliseconds(20))
        #expect(!couple.isLinked && couple.stands && !couple.hasWeapon)
        #expect(couple.arrivals.map(\.value) == ["0.00,0.00", "0.00,0.00", "010"])
        #expect(couple.arrivals.allSatisfy { $0.priority == .stop })
    }

    @Test("If the host hangs, the close ends after a second, and the link is closed half a second later")
    func closeStuck() {
        var couple = Self.racing()
        couple.isStuck = true
        couple.feed(.close)
        couple.run(.milliseconds(900))
        #expect(!couple.wantsDisconnect)
        couple.run(.milliseconds(200))
        #expect(couple.wantsDisconnect && couple.isLinked, "a stop is under way")
        couple.run(.milliseconds(400))
        #expect(!couple.isLinked)
    }

    @Test("A thousand stops a second are all answered and do not flood the robot")
    func manyStops() {
        var couple = Self.racing()
        couple.latency = .milliseconds(5)
        var ids: [UInt64] = []
        for _ in 0..<500 { ids.append(couple.command("stop", "", run: .milliseconds(1))) }
        couple.run(.seconds(1))
        #expect(ids.allSatisfy { couple.code($0) == "ok" })
        // One stop with three writes in each round of 5 ms.
        #expect(couple.arrivals.count < 320)
    }
}
