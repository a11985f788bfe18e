import Bluetooth
import JSON
import ProtocolVectors
import Testing
import VirtualDevices

/// Plays every worked example of docs/protocols/vectors/robot.json to the simulated robot.
@Suite("The simulated devices and the worked examples")
struct VectorTests {
    static let target = "VirtualDevicesTests"
    private static let robot = VectorFile.named("robot")

    @Test("Every kind of example that the simulated devices read is played to them")
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

    @Test("A robot reads back what it was written", arguments: robot.vectors.filter { $0.at != nil })
    func readsBack(_ vector: ProtocolVector) throws {
        var robot = Robot()
        robot.write(try #require(vector.at), vector.bytes)
        #expect(robot.read(try #require(vector.at)) == vector.bytes)
    }

    @Test(
        "The buttons have the effect that the example says",
        arguments: robot.vectors.filter { $0.kind == "buttons" })
    func presses(_ vector: ProtocolVector) throws {
        var robot = Robot()
        robot.write("6e400002", Array("90,50".utf8))
        // The weapon is judged against the power that was there before.
        robot.write("6e400004", Array("001".utf8))
        robot.write("6e400004", vector.bytes)
        #expect(robot.hasWeapon == vector.means["weapon"]?.bool)
        #expect((robot.wheels != [0, 0, 0, 0]) == vector.means["power"]?.bool)
    }

    @Test("The wheels turn as the example says", arguments: robot.vectors.filter { $0.kind == "mix" })
    func mixes(_ vector: ProtocolVector) throws {
        var robot = Robot()
        robot.write("6e400004", Array("001".utf8))
        for case .client(let packet, _) in vector.steps { robot.write(packet.at, packet.bytes) }
        #expect(robot.wheels == vector.means["wheels"]?.array?.compactMap(\.integer))
    }

    /// A simulated robot with a client.
    private struct Robot {
        private var device = VirtualRobot()
        private(set) var wheels = [0, 0, 0, 0]
        private(set) var hasWeapon = false

        init() {
            handle(.poweredOn)
            handle(.connected(mtu: 23))
        }

        mutating func write(_ name: String, _ bytes: [UInt8]) {
            let reactions = handle(.write(id(name), bytes, withResponse: false))
            #expect(reactions.contains(.written))
        }

        mutating func read(_ name: String) -> [UInt8] {
            for case .value(let bytes) in handle(.read(id(name))) { return bytes }
            return []
        }

        private func id(_ name: String) -> CharacteristicID {
            let all = device.services.flatMap(\.characteristics).map(\.id)
            return all.first { $0.uuid.description.prefix(8) == name }
                ?? CharacteristicID(service: 0, uuid: 0)
        }

        @discardableResult
        private mutating func handle(_ stimulus: Stimulus) -> [Reaction] {
            var reactions: [Reaction] = []
            device.handle(stimulus, at: .zero, reactions: &reactions)
            for reaction in reactions {
                switch reaction {
                case .report(.wheels(let a, let b, let c, let d)): wheels = [a, b, c, d]
                case .report(.other("weapon", let details)): hasWeapon = details["on"] == "true"
                default: break
                }
            }
            return reactions
        }
    }
}
