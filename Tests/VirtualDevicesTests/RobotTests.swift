import Bluetooth
import Testing
import VirtualDevices

@Suite("The simulated robot behaves like the firmware")
struct RobotTests {
    @Test("The robot advertises its name and no service, with a public address")
    func advertisement() throws {
        let robot = try #require(World(.standard).peripheral("robot"))
        #expect(robot.advertisement == VirtualAdvertisement(name: "ESP32_BLE", services: []))
        #expect(!robot.hasRandomAddress)
        #expect(robot.services.flatMap(\.characteristics).map(\.id) == [2, 3, 4].map(RobotHarness.id))
    }

    @Test(
        "The wheels mix the written values, including decimals",
        arguments: [
            ("360.00,50.00", "0.00,0.00", [-101, -101, 101, 101]), ("0.00,0.00", "0.00,0.00", [0, 0, 0, 0]),
        ])
    func mix(movement: String, rotation: String, wheels: [Int]) {
        var arena = RobotHarness.driving()
        arena.write(2, movement)
        arena.write(3, rotation)
        #expect(arena.wheels == wheels)
    }

    @Test("The last command continues indefinitely")
    func latch() {
        var arena = RobotHarness.driving()
        arena.write(2, "0,25")
        let wheels = arena.wheels
        arena.pass(.seconds(3600))
        #expect(arena.wheels == wheels && wheels != [0, 0, 0, 0])
    }

    @Test("A disconnect cuts the power and keeps the motion, which continues when the power returns")
    func latchSurvives() {
        var arena = RobotHarness.driving()
        arena.write(2, "0,50")
        arena.handle(.disconnected)
        #expect(arena.wheels == [0, 0, 0, 0] && arena.advertises)
        arena.pass(.seconds(3))
        arena.handle(.connected(mtu: 23))
        #expect(arena.wheels == [0, 0, 0, 0])
        arena.write(4, "001")
        #expect(arena.wheels == [-101, -101, 101, 101])
    }

    @Test("Power within two seconds of a disconnect is cut again, although a read reports it as on")
    func block() {
        var arena = RobotHarness.driving()
        arena.handle(.disconnected)
        arena.pass(.seconds(1))
        arena.handle(.connected(mtu: 23))
        arena.write(2, "0,50")
        arena.write(4, "011")
        #expect(arena.wheels != [0, 0, 0, 0])
        arena.pass(.seconds(1))
        #expect(arena.wheels == [0, 0, 0, 0])
        #expect(arena.read(4) == "011")
    }

    @Test("The weapon depends on the previous power state and requires power")
    func weapon() {
        var arena = RobotHarness()
        arena.handle(.connected(mtu: 23))
        arena.write(4, "111")
        #expect(!arena.weapon)
        arena.write(4, "111")
        #expect(arena.weapon)
        arena.write(4, "11")
        #expect(arena.weapon && arena.read(4) == "11")
        arena.write(4, "110")
        #expect(!arena.weapon && arena.wheels == [0, 0, 0, 0])
        arena.write(4, "011")
        arena.write(4, "111")
        arena.handle(.disconnected)
        #expect(!arena.weapon)
    }

    @Test("After a restart, the robot has no power and ignores motion until it has")
    func boot() {
        var arena = RobotHarness()
        #expect(arena.advertises)
        arena.handle(.connected(mtu: 23))
        arena.write(2, "90,50")
        #expect(arena.wheels == [0, 0, 0, 0] && arena.read(2) == "90,50")
        arena.line("robot restart")
        arena.write(4, "011")
        #expect(arena.wheels == [0, 0, 0, 0])
    }

    @Test("The requested number of reads returns a wrong value, then reads are correct")
    func refuse() {
        var arena = RobotHarness.driving()
        arena.line("robot refuse 3")
        for _ in 0..<3 { #expect(arena.read(4) != "001") }
        #expect(arena.read(4) == "001")
    }

    @Test("The pose follows the wheels and is reported once a second and at standstill")
    func pose() {
        var arena = RobotHarness.driving()
        arena.write(2, "0,50")
        arena.pass(.seconds(1))
        arena.write(2, "90,50")
        arena.pass(.seconds(2))
        arena.write(2, "0,0")
        // 101 of 127 of two meters per second, for one second forward and two to the right.
        #expect(abs((arena.pose["y_mm"] ?? 0) - 1591) < 3 && abs((arena.pose["x_mm"] ?? 0) - 3181) < 3)
        #expect(arena.pose["heading"] == 0 && (3...5).contains(arena.poses))
        arena.write(3, "90,50")
        arena.pass(.milliseconds(460))
        arena.write(3, "0,0")
        #expect(abs((arena.pose["heading"] ?? 0) - 90) < 3)
    }

    @Test("With field orientation, directions are relative to the initial heading")
    func field() {
        var arena = RobotHarness.driving()
        arena.line("robot turn 90")
        arena.write(4, "011")
        arena.write(2, "90,50")
        #expect(arena.wheels == [-101, -101, 101, 101], "right is forward for who faces right")
        arena.write(4, "001")
        #expect(arena.wheels == [101, -101, 101, -101])
    }

    @Test(
        "Values are parsed like in C, up to the first comma and after it",
        arguments: [
            ("90.00,50.00", true), ("+90,50", true), ("90x,50y", true), ("90,50,1", true), ("1e2,50", false),
            (" 90,50", false), ("90", false), ("", false), (",", false), ("abc,def", false),
        ])
    func parsing(text: String, drivesRight: Bool) {
        var arena = RobotHarness.driving()
        arena.write(2, text)
        #expect((arena.wheels == [101, -101, 101, -101]) == drivesRight)
    }
}
