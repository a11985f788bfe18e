import JSON
import ProtocolVectors
import Testing
import VirtualDevices

/// Runs every worked example of docs/protocols/vectors/robot.json against the simulated robot.
@Suite("The simulated devices and the worked examples")
struct VectorTests {
    static let target = "VirtualDevicesTests"
    private static let robot = VectorFile.named("robot")

    @Test("Every kind of example for simulated devices is tested")
    func kinds() {
        #expect(Self.robot.kinds(readBy: Self.target) == ["movement", "rotation", "buttons", "mix"])
        #expect(
            VectorFile.named("belt").kinds(readBy: Self.target)
                == BeltVectorTests.written.union(BeltVectorTests.notified).union(["conversation"]))
        #expect(
            VectorFile.named("tap").kinds(readBy: Self.target)
                == TapVectorTests.written.union(TapVectorTests.notified).union(TapVectorTests.others))
        #expect(VectorFile.named("haptic-patterns").kinds(readBy: Self.target) == [])
    }

    @Test("A robot returns the written value", arguments: robot.vectors.filter { $0.at != nil })
    func readsBack(_ vector: ProtocolVector) throws {
        var robot = RobotHarness.connected()
        robot.write(try #require(vector.at), vector.bytes)
        #expect(robot.read(try #require(vector.at)) == vector.bytes)
    }

    @Test(
        "The buttons have the effect of the example",
        arguments: robot.vectors.filter { $0.kind == "buttons" })
    func presses(_ vector: ProtocolVector) throws {
        var robot = RobotHarness.connected()
        robot.write("6e400002", Array("90,50".utf8))
        // The weapon depends on the previous power state.
        robot.write("6e400004", Array("001".utf8))
        robot.write("6e400004", vector.bytes)
        #expect(robot.weapon == vector.means["weapon"]?.bool)
        #expect((robot.wheels != [0, 0, 0, 0]) == vector.means["power"]?.bool)
    }

    @Test("The wheels turn as in the example", arguments: robot.vectors.filter { $0.kind == "mix" })
    func mixes(_ vector: ProtocolVector) throws {
        var robot = RobotHarness.connected()
        robot.write("6e400004", Array("001".utf8))
        for case .client(let packet, _) in vector.steps { robot.write(packet.at, packet.bytes) }
        #expect(robot.wheels == vector.means["wheels"]?.array?.compactMap(\.integer))
    }
}
