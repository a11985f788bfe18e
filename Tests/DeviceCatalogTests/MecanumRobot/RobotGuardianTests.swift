import Bluetooth
import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("A robot whose stop the guardian could not confirm")
struct RobotGuardianTests {
    private static let drive = #"{"direction":90,"speed":1,"duration_ms":500}"#

    @Test("An unconfirmed robot is reported, stopped again, and confirmed when its reads return no motion")
    func proved() {
        var couple = RobotCouple.powered()
        #expect(couple.status["unconfirmed"] == false)
        couple.feed(.guardian(.unconfirmed))
        #expect(couple.status["unconfirmed"] == true)
        couple.run(.milliseconds(50))
        #expect(couple.arrivals.map(\.value).prefix(3) == ["0.00,0.00", "0.00,0.00", "011"])
        #expect(couple.arrivals.allSatisfy { $0.priority == .stop })
        couple.run(.milliseconds(500))
        #expect(couple.status["unconfirmed"] == false)
    }

    @Test("A robot that refuses writes is stopped repeatedly, and stays unconfirmed")
    func refused() {
        var couple = RobotCouple.powered()
        couple.failure = OperationError(.failed, "In Progress")
        couple.feed(.guardian(.unconfirmed))
        couple.run(.seconds(5))
        #expect(couple.status["unconfirmed"] == true && couple.isLinked)
        couple.failure = nil
        couple.run(.milliseconds(500))
        #expect(couple.status["unconfirmed"] == false && couple.stands)
    }

    @Test("A confirmation of the guardian, or a handshake that stops the robot, ends the unconfirmed state")
    func confirmed() {
        var couple = RobotCouple.powered()
        couple.failure = OperationError(.failed, "In Progress")
        couple.feed(.guardian(.unconfirmed))
        couple.feed(.guardian(.confirmed))
        couple.run(.milliseconds(300))
        #expect(couple.status["unconfirmed"] == false)
        couple.feed(.guardian(.unconfirmed))
        couple.failure = nil
        couple.drop()
        couple.run(.milliseconds(300))
        #expect(couple.status["unconfirmed"] == true)
        couple.connect()
        #expect(couple.isReady && couple.status["unconfirmed"] == false)
    }

    @Test("A robot that drives by a newer command is not stopped by the guardian's report about an older one")
    func newer() {
        var couple = RobotCouple.powered()
        couple.command("drive", Self.drive)
        couple.feed(.guardian(.unconfirmed))
        couple.run(.milliseconds(300))
        #expect(!couple.stands && couple.status["unconfirmed"] == false)
    }

    @Test("The will of a robot reads back every characteristic")
    func will() {
        let couple = RobotCouple.powered()
        #expect(couple.machine.will.readBack == RobotGATT.all)
    }
}
