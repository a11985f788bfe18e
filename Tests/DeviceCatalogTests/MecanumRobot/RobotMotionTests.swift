import DeviceKit
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Encoding of motion as ASCII with two decimals")
struct RobotMotionTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test(
        "A clockwise turn has the angle 90, a counter-clockwise turn 270",
        arguments: [
            (0.4, "90.00,20.00"), (1, "90.00,50.00"), (-1, "270.00,50.00"),
            (0, "0.00,0.00"), (-0.0, "0.00,0.00"), (0.00001, "0.00,0.00"),
        ] as [(Double, String)])
    func rotation(turn: Double, value: String) {
        #expect(text(RobotMotion(turn: turn).rotation.bytes) == value)
    }

    @Test(
        "Angles are modulo 360 after rounding, and 0 below magnitude 1",
        arguments: [
            (359.999, 1, 0, "0.00,50.00"), (359.994, 1, 0, "359.99,50.00"), (10, 1, -30, "340.00,50.00"),
            (350, 1, 180, "170.00,50.00"), (90, 0.0199, 0, "90.00,1.00"), (90, 0.0198, 0, "0.00,0.99"),
            (90, 0.01, 45, "0.00,0.50"), (-0.0, 1, 0, "0.00,50.00"), (0, 1, -180, "180.00,50.00"),
        ] as [(Double, Double, Double, String)])
    func angles(direction: Double, speed: Double, offset: Double, value: String) {
        #expect(text(RobotMotion(direction: direction, speed: speed).movement(offset: offset).bytes) == value)
    }

    @Test("Every motion fits 20 bytes and has two decimals and no exponent")
    func shape() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let scales: [Double] = [1, 1e-9, 1e-300]
            let scale = scales.randomElement(using: &random) ?? 1
            let motion = RobotMotion(
                direction: Double.random(in: 0..<360, using: &random) * scale,
                speed: Double.random(in: 0...1, using: &random) * scale,
                turn: Double.random(in: -1...1, using: &random) * scale)
            let offset = Double.random(in: -180...180, using: &random)
            for vector in [motion.movement(offset: offset), motion.rotation] {
                let parts = text(vector.bytes).split(separator: ",")
                #expect(vector.bytes.count <= 12 && parts.count == 2)
                for (part, limit) in zip(parts, [359.99, 50]) {
                    let digits = part.split(separator: ".")
                    #expect(digits.count == 2 && digits[1].count == 2)
                    #expect(part.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E })
                    #expect(try #require(Double(part)) <= limit)
                }
            }
        }
    }

    @Test(
        "x and y are converted to a direction and a speed",
        arguments: [
            (0.5, 0, 90, 0.5), (0, 1, 0, 1), (0, -1, 180, 1), (-1, 0, 270, 1), (1, 1, 45, 1),
            (0, 0, 0, 0), (-0.3, 0.4, 323.13, 0.5), (-1e-20, 1, 360, 1),
        ] as [(Double, Double, Double, Double)])
    func cartesian(x: Double, y: Double, direction: Double, speed: Double) throws {
        let motion = RobotMotion(RobotFamily.DriveCommand(x: x, y: y))
        #expect(abs(motion.direction - direction) < 0.01 && motion.direction < 360)
        #expect(abs(motion.speed - speed) < 1e-9)
    }
}
