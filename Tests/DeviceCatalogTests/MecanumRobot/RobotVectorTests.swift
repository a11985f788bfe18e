import Bluetooth
import JSON
import ProtocolVectors
import Testing

@testable import DeviceCatalog

/// Encodes every worked example of docs/protocols/vectors/robot.json with the codec of the family.
@Suite("The worked examples of the robot")
struct RobotVectorTests {
    private typealias Writer = @Sendable (JSON.Value) -> [UInt8]?

    private static let target = "DeviceCatalogTests/MecanumRobot"
    private static let file = VectorFile.named("robot")

    private static let writers: [String: Writer] = [
        "movement": { means in
            guard let direction = means["direction"]?.double, let speed = means["speed"]?.double,
                let offset = means["offset"]?.double
            else { return nil }
            return RobotMotion(direction: direction, speed: speed).movement(offset: offset).bytes
        },
        "rotation": { means in means["turn"]?.double.map { RobotMotion(turn: $0).rotation.bytes } },
        "buttons": { means in
            guard let weapon = means["weapon"]?.bool, let field = means["field_orientation"]?.bool,
                let power = means["power"]?.bool
            else { return nil }
            return RobotButtons(weapon: weapon, fieldOrientation: field, power: power).bytes
        },
    ]

    private static let characteristics = [
        "movement": RobotGATT.movement, "rotation": RobotGATT.rotation, "buttons": RobotGATT.buttons,
    ]

    @Test("Each kind of example has an encoder, and each encoder has an example")
    func kinds() {
        #expect(Set(Self.writers.keys) == Self.file.kinds(readBy: Self.target))
    }

    @Test("A value is encoded as in the example", arguments: file.vectors(readBy: target))
    func value(_ vector: ProtocolVector) throws {
        let write = try #require(Self.writers[vector.kind])
        let written = try #require(write(vector.means))
        #expect(ProtocolVector.hex(written) == ProtocolVector.hex(vector.bytes))
        let characteristic = try #require(Self.characteristics[vector.kind])
        #expect(characteristic.uuid.description.prefix(8) == vector.at ?? "")
    }
}
