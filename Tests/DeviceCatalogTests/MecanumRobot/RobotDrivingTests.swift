import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Driving")
struct RobotDrivingTests {
    @Test(
        "A connection stops the robot: first movement and rotation, then buttons with the power off")
    func handshake() {
        var couple = RobotCouple()
        couple.connect()
        #expect(couple.isReady)
        #expect(
            couple.arrivals.prefix(3).map { "\($0.characteristic) \($0.value)" } == [
                "movement 0.00,0.00", "rotation 0.00,0.00", "buttons 010",
            ])
        #expect(couple.status["connection"] == "connected" && couple.status["power"] == false)
    }

    @Test("Power is switched on only by command, and only after the firmware has handled the last disconnect")
    func power() {
        var couple = RobotCouple()
        couple.connect()
        let id = couple.command("power", "on")
        #expect(couple.code(id) == "0 answers" && couple.status["power"] == false)
        couple.run(.milliseconds(1900))
        #expect(couple.code(id) == "0 answers")
        couple.run(.milliseconds(200))
        #expect(couple.code(id) == "ok" && couple.status["power"] == true)
        #expect(couple.arrivals.last { $0.characteristic == "buttons" }?.value == "011")
    }

    @Test(
        "The wheels turn as in the examples of the protocol",
        arguments: [
            (#"{"direction":0,"speed":1}"#, "off", [-101, -101, 101, 101]),
            (#"{"direction":360,"speed":1}"#, "off", [-101, -101, 101, 101]),
            (#"{"direction":90,"speed":1}"#, "off", [101, -101, 101, -101]),
            (#"{"direction":0,"speed":1,"turn":1}"#, "off", [-23, -23, 126, 126]),
            (#"{"turn":-0.4}"#, "off", [-27, -27, -27, -27]),
            (#"{"x":1,"y":0}"#, "on", [101, -101, 101, -101]),
        ])
    func wheels(payload: String, fieldOrientation: String, wheels: [Int]) {
        var couple = RobotCouple.powered()
        couple.command("field_orientation", fieldOrientation)
        let id = couple.command("drive", payload, run: .milliseconds(200))
        #expect(couple.code(id) == "ok")
        #expect(couple.wheels == wheels)
    }

    @Test("The end of a lease ends the motion within one tick, and only a valid drive command prolongs it")
    func lease() {
        var couple = RobotCouple.powered(["allow_weapon": true])
        couple.command("weapon", "on")
        #expect(couple.hasWeapon)
        let start = couple.now
        couple.command("drive", #"{"direction":0,"speed":1,"duration_ms":500}"#, run: .milliseconds(300))
        #expect(!couple.stands)
        let refused = couple.command("drive", #"{"direction":0,"speed":1.01,"duration_ms":2000}"#)
        couple.command("field_offset", "0")
        couple.command("power", "on", run: .milliseconds(10))
        couple.run(.milliseconds(300))
        #expect(couple.code(refused) == "out_of_range")
        #expect(couple.stands && !couple.hasWeapon)
        let time = couple.wheelsAt - start
        #expect(time >= .milliseconds(500) && time < .milliseconds(600), "\(time)")
        #expect(couple.status["stopped_by"] == "lease" && couple.status["power"] == true)
        couple.run(.seconds(10))
        #expect(couple.stands)
    }

    @Test("A command that waited longer than its lease is refused; otherwise the waiting time is deducted")
    func arrival() {
        var couple = RobotCouple.powered()
        let old = couple.command("drive", #"{"speed":1,"duration_ms":300}"#, age: .milliseconds(300))
        #expect(couple.code(old) == "expired" && couple.stands)
        let start = couple.now
        couple.command("drive", #"{"speed":1,"duration_ms":300}"#, age: .milliseconds(200), run: .seconds(1))
        #expect(couple.stands && couple.wheelsAt - start <= .milliseconds(200))
    }

    @Test("Of a thousand commands a second, the newest ten are written, each to all three characteristics")
    func cadence() {
        var couple = RobotCouple.powered()
        let start = couple.now
        var sent: [(time: Duration, value: String)] = []
        for number in 0..<5000 {
            let speed = Double(number % 900 + 100) / 1000
            couple.command("drive", #"{"direction":90,"speed":\#(speed)}"#, run: .zero)
            let value = RobotMotion(direction: 90, speed: speed).movement(offset: 0).bytes
            sent.append((couple.now, String(decoding: value, as: UTF8.self)))
            couple.run(.milliseconds(1))
        }
        for name in ["movement", "rotation", "buttons"] {
            let times = couple.arrivals.filter { $0.characteristic == name }.map(\.time)
            #expect((50...51).contains(times.count), "\(name) \(times.count)")
            for (time, next) in zip(times, times.dropFirst()) { #expect(next - time >= .milliseconds(95)) }
        }
        for arrival in couple.arrivals where arrival.characteristic == "movement" {
            // At most as old as the duration of the write.
            let newest = sent.filter { $0.time <= arrival.time && $0.time >= arrival.time - .milliseconds(8) }
            #expect(newest.contains { $0.value == arrival.value }, "\(arrival.time - start)")
        }
        couple.run(.seconds(1))
        #expect((1...5000).allSatisfy { couple.answers[UInt64($0) + 1]?.count == 1 })
    }

    @Test("Two frames are never in progress at once on a slow link")
    func slow() {
        var couple = RobotCouple.powered()
        couple.latency = .milliseconds(90)
        for _ in 0..<100 {
            couple.command("drive", #"{"direction":90,"speed":1,"duration_ms":1000}"#, run: .milliseconds(20))
        }
        let names = couple.arrivals.map(\.characteristic)
        for (index, name) in names.enumerated() {
            #expect(name == ["movement", "rotation", "buttons"][index % 3])
        }
        #expect(couple.arrivals.allSatisfy { $0.priority == .normal })
    }

    @Test("A stopped robot is written zero motion once a second")
    func heartbeat() {
        var couple = RobotCouple.powered()
        couple.run(.seconds(2))
        couple.forget()
        couple.run(.seconds(10))
        #expect(couple.arrivals.count { $0.characteristic == "movement" } == 10)
        #expect(Set(couple.arrivals.map(\.value)) == ["0.00,0.00", "011"])
    }

    @Test("The field offset turns directions, but not the rotation, and only with field orientation on")
    func offset() {
        var couple = RobotCouple.powered()
        couple.command("field_offset", "30")
        couple.command("drive", #"{"direction":270,"speed":0.6,"turn":0.5}"#, run: .milliseconds(100))
        #expect(couple.arrivals.last { $0.characteristic == "movement" }?.value == "300.00,30.00")
        #expect(couple.arrivals.last { $0.characteristic == "rotation" }?.value == "90.00,25.00")
        couple.command("field_orientation", "off", run: .milliseconds(200))
        #expect(couple.stands && couple.status["stopped_by"] == "field_orientation")
        couple.command("drive", #"{"direction":270,"speed":0.6}"#, run: .milliseconds(200))
        #expect(couple.arrivals.last { $0.characteristic == "movement" }?.value == "270.00,30.00")
        couple.command("field_offset", "reset", run: .milliseconds(200))
        #expect(!couple.stands && couple.status["stopped_by"] == .null)
        #expect(couple.status["field_offset"] == 0)
    }

    /// The newest value of the movement characteristic.
    private static func movement(_ couple: RobotCouple) -> String? {
        couple.arrivals.last { $0.characteristic == "movement" }?.value
    }

    @Test("A new offset turns the current drive and keeps the end of its lease")
    func turning() {
        var couple = RobotCouple.powered()
        couple.command("drive", #"{"direction":90,"speed":0.6,"duration_ms":1000}"#, run: .milliseconds(100))
        let (end, will) = (couple.machine.drive.lease.end, couple.machine.will.deadline)
        for degrees in [10, 20, 30] {
            couple.command("field_offset", "\(degrees)", run: .milliseconds(200))
            #expect(Self.movement(couple) == "\(90 + degrees).00,30.00" && !couple.stands)
            #expect(couple.machine.drive.lease.end == end && couple.machine.will.deadline == will)
        }
        couple.run(.milliseconds(350))
        #expect(couple.stands && couple.status["stopped_by"] == "lease")
        couple.forget()
        couple.command("field_offset", "40", run: .seconds(2))
        #expect(couple.stands)
        #expect(Set(couple.arrivals.filter { $0.characteristic == "movement" }.map(\.value)) == ["0.00,0.00"])
    }

    @Test(
        "While motion is blocked, a new offset waits for the next drive", arguments: MotionGate.Block.allCases
    )
    func blockedTurning(_ block: MotionGate.Block) {
        var couple = RobotCouple.powered()
        couple.command("drive", #"{"direction":90,"speed":0.6,"duration_ms":2000}"#, run: .milliseconds(100))
        couple.feed(.motionBlocked(block))
        couple.command("field_offset", "30", run: .milliseconds(300))
        #expect(Self.movement(couple) == "90.00,30.00" && couple.status["field_offset"] == 30)
        couple.feed(.motionBlocked(nil))
        couple.command("drive", #"{"direction":90,"speed":0.6}"#, run: .milliseconds(200))
        #expect(Self.movement(couple) == "120.00,30.00")
    }

    @Test("After a stop, a new offset moves nothing")
    func stoppedTurning() {
        var couple = RobotCouple.powered()
        couple.command("drive", #"{"direction":90,"speed":0.6,"duration_ms":2000}"#, run: .milliseconds(100))
        couple.command("stop", "", run: .milliseconds(50))
        couple.forget()
        couple.command("field_offset", "30", run: .seconds(1))
        #expect(
            couple.stands
                && couple.arrivals.allSatisfy { $0.value == "0.00,0.00" || $0.characteristic == "buttons" })
    }

    @Test(
        "Invalid commands are answered and move nothing",
        arguments: [
            (#"{"speed":NaN}"#, "invalid_payload"), (#"{"speed":Infinity}"#, "invalid_payload"),
            (#"{"speed":1e999}"#, "invalid_payload"), (#"{"x":-1e999,"y":0}"#, "invalid_payload"),
            (#"{"speed":"0.5"}"#, "invalid_value"), (#"{"speed":"NaN"}"#, "invalid_value"),
            (#"{"speed":1.01}"#, "out_of_range"), (#"{"speed":-0.01}"#, "out_of_range"),
            (#"{"direction":360.1,"speed":1}"#, "out_of_range"),
            (#"{"direction":361,"speed":1}"#, "out_of_range"),
            (#"{"direction":-1,"speed":1}"#, "out_of_range"),
            (#"{"x":1.01,"y":0}"#, "out_of_range"), (#"{"turn":-1.01}"#, "out_of_range"),
            (#"{"direction":0,"speed":1,"x":1}"#, "invalid_value"),
            (#"{"speed":1,"y":1}"#, "invalid_value"), (#"{"direction":0,"x":1,"y":1}"#, "invalid_value"),
            (#"{"direction":90}"#, "missing_field"), (#"{"duration_ms":500}"#, "missing_field"),
            (#"{"speed":1,"duration_ms":2001}"#, "out_of_range"),
            (#"{"speed":1,"duration_ms":0}"#, "out_of_range"),
            (#"{"speed":1,"duration_ms":-5}"#, "out_of_range"),
            (#"{"speed":1,"duration_ms":1.5}"#, "invalid_value"),
            (#"{"speed":1,"spin":1}"#, "unknown_field"), ("forward", "invalid_payload"),
            ("0.5", "invalid_payload"), ("", "invalid_payload"), ("{}", "missing_field"),
            (#"{"speed":null}"#, "invalid_value"), (#"[1]"#, "invalid_payload"),
        ])
    func refused(payload: String, code: String) {
        var couple = RobotCouple.powered()
        let id = couple.command("drive", payload, run: .seconds(2))
        #expect(couple.code(id) == code)
        #expect(couple.stands && couple.wheelsAt < couple.now - .seconds(2))
        #expect(couple.arrivals.allSatisfy { $0.value == "0.00,0.00" || $0.value == "011" })
    }

    @Test("High precision does not make a value longer")
    func precision() {
        var couple = RobotCouple.powered()
        let drive = #"{"direction":123.45678901234567,"speed":0.12345678901234567,"turn":-0.000123456789}"#
        #expect(couple.outcome("drive", drive) == "ok")
        #expect(couple.arrivals.first { $0.characteristic == "movement" }?.value == "123.46,6.17")
        #expect(couple.arrivals.first { $0.characteristic == "rotation" }?.value == "270.00,0.01")
    }

    @Test("Without power, a drive is refused")
    func withoutPower() {
        var couple = RobotCouple()
        couple.connect()
        let id = couple.command("drive", #"{"speed":1}"#, run: .seconds(5))
        #expect(couple.code(id) == "wrong_mode")
        #expect(couple.arrivals.allSatisfy { $0.value == "0.00,0.00" || $0.value == "010" })
    }
}
