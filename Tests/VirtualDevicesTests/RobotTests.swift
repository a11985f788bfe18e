import Bluetooth
import Testing
import VirtualDevices

@Suite("The simulator's robot does as the firmware")
struct RobotTests {
    @Test("It advertises its name and no service; its address is public")
    func advertisement() throws {
        let robot = try #require(World(.standard).peripheral("robot"))
        #expect(robot.advertisement == VirtualAdvertisement(name: "ESP32_BLE", services: []))
        #expect(!robot.hasRandomAddress)
        #expect(robot.services.flatMap(\.characteristics).map(\.id) == [2, 3, 4].map(RobotBench.id))
    }

    @Test(
        "The wheels mix what is written with decimals, too",
        arguments: [
            ("360.00,50.00", "0.00,0.00", [-101, -101, 101, 101]), ("0.00,0.00", "0.00,0.00", [0, 0, 0, 0]),
        ])
    func mix(movement: String, rotation: String, wheels: [Int]) {
        var arena = RobotBench.driving()
        arena.write(2, movement)
        arena.write(3, rotation)
        #expect(arena.wheels == wheels)
    }

    @Test("It goes on with its last command for ever")
    func latch() {
        var arena = RobotBench.driving()
        arena.write(2, "0,25")
        let wheels = arena.wheels
        arena.pass(.seconds(3600))
        #expect(arena.wheels == wheels && wheels != [0, 0, 0, 0])
    }

    @Test("A disconnect cuts the power and keeps the motion, which goes on when power comes")
    func latchSurvives() {
        var arena = RobotBench.driving()
        arena.write(2, "0,50")
        arena.handle(.disconnected)
        #expect(arena.wheels == [0, 0, 0, 0] && arena.advertises)
        arena.pass(.seconds(3))
        arena.handle(.connected(mtu: 23))
        #expect(arena.wheels == [0, 0, 0, 0])
        arena.write(4, "001")
        #expect(arena.wheels == [-101, -101, 101, 101])
    }

    @Test("Power that comes within two seconds of a disconnect is cut again, while a read says that it is on")
    func block() {
        var arena = RobotBench.driving()
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

    @Test("The weapon is judged against the power that there was; without power there is none")
    func weapon() {
        var arena = RobotBench()
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

    @Test("At its start it has no power, and does nothing that it is told until it has")
    func boot() {
        var arena = RobotBench()
        #expect(arena.advertises)
        arena.handle(.connected(mtu: 23))
        arena.write(2, "90,50")
        #expect(arena.wheels == [0, 0, 0, 0] && arena.read(2) == "90,50")
        arena.line("robot restart")
        arena.write(4, "011")
        #expect(arena.wheels == [0, 0, 0, 0])
    }

    @Test("So many reads as were asked for disagree, and the next one tells the truth")
    func refuse() {
        var arena = RobotBench.driving()
        arena.line("robot refuse 3")
        for _ in 0..<3 { #expect(arena.read(4) != "001") }
        #expect(arena.read(4) == "001")
    }

    @Test("It drives to where its wheels take it, and says so once a second and when it stands")
    func pose() {
        var arena = RobotBench.driving()
        arena.write(2, "0,50")
        arena.pass(.seconds(1))
        arena.write(2, "90,50")
        arena.pass(.seconds(2))
        arena.write(2, "0,0")
        // 101 of 127 of two metres a second, for one second forward and two to the right.
        #expect(abs((arena.pose["y_mm"] ?? 0) - 1591) < 3 && abs((arena.pose["x_mm"] ?? 0) - 3181) < 3)
        #expect(arena.pose["heading"] == 0 && (3...5).contains(arena.poses))
        arena.write(3, "90,50")
        arena.pass(.milliseconds(460))
        arena.write(3, "0,0")
        #expect(abs((arena.pose["heading"] ?? 0) - 90) < 3)
    }

    @Test("With field orientation directions stay as they were at its start")
    func field() {
        var arena = RobotBench.driving()
        arena.line("robot turn 90")
        arena.write(4, "011")
        arena.write(2, "90,50")
        #expect(arena.wheels == [-101, -101, 101, 101], "right is forward for who faces right")
        arena.write(4, "001")
        #expect(arena.wheels == [101, -101, 101, -101])
    }

    @Test(
        "Values are read as C does, up to the first comma and from there",
        arguments: [
            ("90.00,50.00", true), ("+90,50", true), ("90x,50y", true), ("90,50,1", true), ("1e2,50", false),
            (" 90,50", false), ("90", false), ("", false), (",", false), ("abc,def", false),
        ])
    func parsing(text: String, drivesRight: Bool) {
        var arena = RobotBench.driving()
        arena.write(2, text)
        #expect((arena.wheels == [101, -101, 101, -101]) == drivesRight)
    }
}
