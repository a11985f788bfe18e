import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("The emergency stop is kept over restarts, and its answer reports the result")
struct RobotLatchTests {
    private static let powersOn: Arguments = ["power_on_connect": true]
    private static let fullSpeed = #"{"direction":90,"speed":1,"duration_ms":2000}"#
    private static let stopped: JSON.Value = ["emergency_stop": true]

    /// Returns the members of a command's only answer.
    private static func members(_ couple: RobotCouple, _ id: UInt64) -> JSON.Object? {
        guard let list = couple.answers[id], list.count == 1, case .ok(let members) = list[0] else {
            return nil
        }
        return members
    }

    /// Returns the message of a command's refusal.
    private static func message(_ couple: RobotCouple, _ id: UInt64) -> String? {
        guard let list = couple.answers[id], list.count == 1, case .failed(let error) = list[0] else {
            return nil
        }
        return error.message
    }

    // MARK: Setting

    @Test("The writes to the robot come before the latch, and a slow disk does not delay them")
    func order() {
        var machine = RobotCouple.powered().machine
        let id = CommandID(99)
        let effects = machine.effects(of: .command(id, feature: "emergency_stop", [:]), at: .seconds(200))
        let write = effects.firstIndex { if case .write = $0 { true } else { false } }
        #expect(write ?? .max < effects.firstIndex(of: .latch(true)) ?? -1)

        var couple = RobotCouple.powered()
        couple.command("drive", Self.fullSpeed, run: .milliseconds(120))
        couple.diskTime = .milliseconds(300)
        let start = couple.now
        let stop = couple.command("emergency_stop", "", run: .milliseconds(290))
        #expect(couple.stands && couple.wheelsAt - start < .milliseconds(5))
        #expect(couple.answers[stop] == nil, "the answer waits for the disk")
        couple.run(.milliseconds(20))
        #expect(couple.code(stop) == "ok kept" && couple.latch == .latched)
    }

    @Test("The answer waits two seconds for the disk; a later result is not answered again")
    func hangs() {
        var couple = RobotCouple.powered()
        couple.diskTime = nil
        let stop = couple.command("emergency_stop", "", run: .milliseconds(1990))
        #expect(couple.answers[stop] == nil && couple.status["emergency_stop"] == true)
        couple.run(.milliseconds(20))
        let members = Self.members(couple, stop)
        #expect(members?["latch"] == "not_kept" && members?["reason"]?.string?.contains("2 s") == true)
        let second = couple.command("emergency_stop", "", run: .seconds(1))
        couple.diskTime = .zero
        couple.run(.milliseconds(10))
        #expect(couple.code(second) == "ok kept" && couple.code(stop) == "ok not_kept")
        #expect(couple.latch == .latched)
    }

    @Test("A disk error is answered with its reason, and the write is repeated until it succeeds")
    func refuses() {
        var couple = RobotCouple.powered()
        couple.diskFailure = "No space left on device"
        let stop = couple.command("emergency_stop", "")
        #expect(
            Self.members(couple, stop) == ["latch": "not_kept", "reason": "No space left on device"])
        #expect(couple.latch == .clear && couple.status["emergency_stop"] == true)
        couple.run(.seconds(20))
        couple.diskFailure = nil
        couple.run(.seconds(6))
        #expect(couple.latch == .latched)
    }

    @Test("A robot that refuses the stop is answered as an error, including the failure of the disk")
    func denied() {
        var couple = RobotCouple.powered()
        couple.act("refuse 3")
        couple.diskFailure = "Input/output error"
        let stop = couple.command("emergency_stop", "", run: .milliseconds(200))
        #expect(couple.code(stop) == "device_error")
        #expect(
            Self.message(couple, stop)?.contains("would not survive a restart: Input/output error") == true)
    }

    @Test("Every command is answered if the link is lost while the disk is busy")
    func linkLost() {
        var couple = RobotCouple.powered()
        couple.diskTime = nil
        let stop = couple.command("emergency_stop", "")
        couple.drop()
        #expect(couple.code(stop) == "ok not_kept")
    }

    // MARK: Releasing

    @Test("Power is switched on only after the release is on disk")
    func release() {
        var couple = RobotCouple(latch: .latched)
        couple.connect(run: .seconds(5))
        couple.diskTime = .milliseconds(300)
        couple.forget()
        let power = couple.command("power", "on", run: .milliseconds(290))
        #expect(couple.answers[power] == nil && couple.status["power"] == false)
        #expect(couple.arrivals.allSatisfy { $0.characteristic != "buttons" || $0.value == "010" })
        couple.run(.milliseconds(50))
        #expect(couple.code(power) == "ok" && couple.latch == .clear)
        #expect(couple.status["power"] == true && couple.status["emergency_stop"] == false)
    }

    @Test(
        "A release that fails on disk, or takes longer than two seconds, does not switch the power on",
        arguments: [Latch.latched, .unconfirmed], ["No space left on device", nil])
    func releaseFails(latch: Latch, failure: String?) {
        var couple = RobotCouple(latch: latch)
        couple.connect(run: .seconds(5))
        (couple.diskFailure, couple.diskTime) = (failure, failure == nil ? nil : .zero)
        let power = couple.command("power", "on", run: .milliseconds(2010))
        #expect(couple.code(power) == "internal")
        #expect(Self.message(couple, power)?.contains(failure ?? "within 2 s") == true)
        couple.run(.seconds(5))
        #expect(couple.status["power"] == false && couple.stands)
        #expect(couple.status["emergency_stop"]?.bool == (latch == .latched))
    }

    @Test("A release that reaches the disk too late is reverted")
    func lateRelease() {
        var couple = RobotCouple(latch: .latched)
        couple.connect(run: .seconds(5))
        couple.diskTime = .milliseconds(2500)
        let power = couple.command("power", "on", run: .seconds(6))
        #expect(couple.code(power) == "internal" && couple.latch == .latched)
        #expect(couple.status["emergency_stop"] == true && couple.status["power"] == false)
    }

    @Test("An emergency stop during a release is written to disk too")
    func stopDuringRelease() {
        var couple = RobotCouple(latch: .latched)
        couple.connect(run: .seconds(5))
        couple.diskTime = .milliseconds(300)
        let power = couple.command("power", "on", run: .milliseconds(100))
        let stop = couple.command("emergency_stop", "", run: .milliseconds(400))
        #expect(couple.code(power) == "device_error" && couple.answers[stop] == nil)
        couple.run(.milliseconds(150))
        #expect(couple.code(stop) == "ok kept" && couple.latch == .latched)
        #expect(couple.status["power"] == false)
    }

    @Test("A stop during a release leaves the emergency stop set")
    func plainStopDuringRelease() {
        var couple = RobotCouple(latch: .latched)
        couple.connect(run: .seconds(5))
        couple.diskTime = .milliseconds(300)
        let power = couple.command("power", "on", run: .milliseconds(100))
        couple.command("stop", "", run: .seconds(2))
        #expect(couple.code(power) == "device_error" && couple.latch == .latched)
        #expect(couple.status["power"] == false && couple.status["emergency_stop"] == true)
    }

    // MARK: Unknown state

    @Test("With an unknown latch, only a command of the user switches the power on")
    func unconfirmed() {
        var couple = RobotCouple(Self.powersOn, latch: .unconfirmed)
        couple.connect(run: .seconds(10))
        #expect(couple.status["power"] == false && couple.status["emergency_stop"] == false)
        let drive = couple.command("drive", Self.fullSpeed)
        #expect(couple.code(drive) == "wrong_mode")
        #expect(Self.message(couple, drive)?.contains("it is unknown whether an emergency stop") == true)
        #expect(couple.outcome("power", "on") == "ok")
        #expect(couple.latch == .clear && couple.status["power"] == true)
        couple.drop()
        couple.connect(run: .seconds(10))
        #expect(couple.status["power"] == true)
    }

    // MARK: Retained status

    @Test("Power on connect waits until the retained status is known")
    func waits() {
        var couple = RobotCouple(Self.powersOn, isRecalled: false)
        couple.connect(run: .seconds(10))
        #expect(couple.status["power"] == false)
        couple.feed(.recalling(false))
        couple.run(.milliseconds(100))
        #expect(couple.status["power"] == true)
    }

    @Test("A retained emergency stop is set and kept; a stop cancels the wait for power")
    func recalled() {
        var couple = RobotCouple(Self.powersOn, isRecalled: false)
        couple.connect(run: .seconds(1))
        couple.feed(.recalled(feature: "status", Self.stopped))
        couple.feed(.recalling(false))
        couple.run(.seconds(10))
        #expect(couple.status["power"] == false && couple.status["emergency_stop"] == true)
        #expect(couple.latch == .latched)

        var other = RobotCouple(Self.powersOn, isRecalled: false)
        other.connect(run: .seconds(5))
        other.command("stop", "")
        other.feed(.recalled(feature: "status", ["emergency_stop": false]))
        other.feed(.recalling(false))
        other.run(.seconds(10))
        #expect(other.status["power"] == false && other.status["emergency_stop"] == false)
    }

    @Test("An older retained emergency stop does not undo a release by the user")
    func released() {
        var couple = RobotCouple(latch: .latched, isRecalled: false)
        couple.connect(run: .seconds(5))
        #expect(couple.outcome("power", "on") == "ok")
        couple.feed(.recalled(feature: "status", Self.stopped))
        couple.run(.seconds(1))
        #expect(couple.status["power"] == true && couple.latch == .clear)
    }

    @Test("A retained emergency stop switches the power off")
    func recalledWithPower() {
        var couple = RobotCouple(Self.powersOn)
        couple.connect(run: .seconds(5))
        couple.command("drive", Self.fullSpeed)
        #expect(!couple.stands)
        couple.feed(.recalled(feature: "status", Self.stopped))
        couple.run(.milliseconds(50))
        #expect(couple.stands && couple.status["power"] == false && couple.latch == .latched)
    }
}
