import BridgeTesting
import DeviceKit
import JSON
import Testing

@testable import Tap

@Suite("Raw frames are read as the worked examples of the protocol have them")
struct RawFrameTests {
    private static let imu = "7B 00 00 00 64 00 9C FF C8 00 38 FF 2C 01 D4 FE"
    private static let fingers =
        "C8 01 00 80 01 00 02 00 03 00 04 00 05 00 06 00 07 00 08 00 09 00 0A 00 0B 00 0C 00 0D 00 0E 00 0F 00"
    private static let imuMessage = RawMessage(
        kind: .imu, timestamp: 123, samples: [100, -100, 200, -200, 300, -300])
    private static let fingersMessage = RawMessage(
        kind: .fingers, timestamp: 456, samples: (1...15).map { $0 })

    @Test(
        "Messages of one frame",
        arguments: [
            Vector("22 one IMU message", imu, [imuMessage]),
            Vector("22 padded", imu + " 00 00 00 00", [imuMessage]),
            Vector("22 with stray zeros", imu + " 00 00 00", [imuMessage]),
            Vector("23 one Device message", fingers, [fingersMessage]),
            Vector("23b both", imu + " " + fingers, [imuMessage, fingersMessage]),
            Vector("in the other order", fingers + imu + "00", [fingersMessage, imuMessage]),
            Vector(
                "24 zero-terminated", "2A 00 00 00 01 00 02 00 03 00 04 00 05 00 06 00 00 00 00 00",
                [RawMessage(kind: .imu, timestamp: 42, samples: [1, 2, 3, 4, 5, 6])]),
            Vector("25c truncated", "7B 00 00 00 64 00 9C FF C8 00", []),
            Vector("25c zeros", "00 00 00 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10", []),
            Vector(
                "25c Device with time 0", "00 00 00 80" + String(repeating: " 00", count: 30),
                [RawMessage(kind: .fingers, timestamp: 0, samples: [Int16](repeating: 0, count: 15))]),
            Vector("a whole and a truncated one", imu + " 01 00 00 00 02", [imuMessage]),
            Vector("nothing behind the end counts", "00 00 00 00 " + imu, []), Vector("empty", "", []),
        ])
    func messages(_ vector: Vector<[RawMessage]>) {
        #expect(RawFrame.messages(bytes(vector.hex)) == vector.meaning)
    }

    /// A TAP in raw mode, and what it publishes for some frames.
    private func published(_ frames: [String], sensitivity: String) -> [JSON.Value] {
        var bench = Bench()
        bench.connect()
        bench.command("input_mode", #"{"mode":"raw","sensitivity":\#(sensitivity)}"#)
        bench.acknowledge()
        _ = bench.take()
        for frame in frames { bench.notify(GATT.raw, frame) }
        return bench.take().compactMap { line in
            guard line.hasPrefix("raw = ") else { return nil }
            return try? JSON.Value(parsing: Array(line.dropFirst(6).utf8))
        }
    }

    @Test("Default sensitivities (22)")
    func defaults() {
        #expect(
            published([Self.imu], sensitivity: "{}").map(\.description) == [
                #"{"type":"imu","timestamp_ms":123,"gyro":{"x":1750,"y":-1750,"z":3500},"#
                    + #""accelerometer":{"x":-24.4,"y":36.6,"z":-36.6}}"#
            ])
    }

    @Test("Two notifications after a command with 2 g, 250 dps and 8 g (25)")
    func scaled() {
        let first =
            "E8 03 00 00 10 00 E0 FF 00 00 00 10 FF FF FF 7F EA 03 00 80 0A 00 EC FF 00 02 00 00 00 00 00 01 00 FE "
            + "01 00 FF FF 05 00 06 00 07 00 08 00 09 00 0A 00 00 00 00 00"
        let second =
            "ED 03 00 00 00 80 01 00 02 00 00 00 00 00 05 20 F2 03 00 00 03 00 04 00 05 00 06 00 07 00 08 00 "
            + "00 00 00 00 00 00 00 00"
        let values = published(
            [first, second], sensitivity: #"{"fingers":1,"gyro":2,"accelerometer":3}"#)
        #expect(
            values.map(\.description) == [
                #"{"type":"imu","timestamp_ms":1000,"gyro":{"x":140,"y":-280,"z":0},"#
                    + #""accelerometer":{"x":999.424,"y":-0.244,"z":7995.148}}"#,
                #"{"type":"fingers","timestamp_ms":1002,"thumb":{"x":39.0625,"y":-78.125,"z":2000},"#
                    + #""index":{"x":0,"y":0,"z":1000},"middle":{"x":-2000,"y":3.90625,"z":-3.90625},"#
                    + #""ring":{"x":19.53125,"y":23.4375,"z":27.34375},"#
                    + #""pinky":{"x":31.25,"y":35.15625,"z":39.0625}}"#,
                #"{"type":"imu","timestamp_ms":1005,"gyro":{"x":-286720,"y":8.75,"z":17.5},"#
                    + #""accelerometer":{"x":0,"y":0,"z":2000.068}}"#,
                #"{"type":"imu","timestamp_ms":1010,"gyro":{"x":26.25,"y":35,"z":43.75},"#
                    + #""accelerometer":{"x":1.464,"y":1.708,"z":1.952}}"#,
            ])
    }

    @Test("A Device message as a user's log had it (25b)")
    func logged() throws {
        let frame =
            "50 FE 04 80 BA FF 2E FF 9A 00 36 00 B0 00 C6 00 68 00 F0 00 6A 00 92 00 B4 00 A0 00 7A 00 7A 00 DA 00"
        let value = try #require(published([frame], sensitivity: #"{"fingers":1}"#).first)
        #expect(value["timestamp_ms"] == 327_248)
        let expected = [
            "thumb": [-273.44, -820.31, 601.56], "index": [210.94, 687.50, 773.44],
            "middle": [406.25, 937.50, 414.06], "ring": [570.31, 703.13, 625.00],
            "pinky": [476.56, 476.56, 851.56],
        ]
        for (finger, numbers) in expected {
            for (axis, number) in zip(["x", "y", "z"], numbers) {
                let found = try #require(value[finger]?[axis]?.double)
                #expect(abs(found - number) <= 0.005001)
            }
        }
    }

    @Test(
        "Every code's scale",
        arguments: [
            (0, 31.25, 17.5, 0.122), (1, 3.90625, 4.375, 0.061), (2, 7.8125, 8.75, 0.122),
            (3, 15.625, 17.5, 0.244), (4, 31.25, 35, 0.488), (5, 31.25, 70, 0.122),
        ])
    func scales(_ code: UInt8, _ fingers: Double, _ gyro: Double, _ accelerometer: Double) {
        let sensitivity = Sensitivity(codes: code, code, code)
        #expect(sensitivity.fingerScale.value(of: 1) == fingers)
        #expect(sensitivity.gyroScale.value(of: 1) == gyro)
        #expect(sensitivity.accelerometerScale.value(of: 1) == accelerometer)
    }

    // MARK: Properties

    private func messages(_ random: inout RandomSource) -> [RawMessage] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
            let kind: RawMessage.Kind = Bool.random(using: &random) ? .imu : .fingers
            return RawMessage(
                kind: kind, timestamp: UInt32.random(in: 1...0x7FFF_FFFF, using: &random),
                samples: (0..<kind.sampleCount).map { _ in Int16.random(in: .min ... .max, using: &random) })
        }
    }

    @Test("What was encoded is decoded as it was, whatever the padding", arguments: 0..<200)
    func identity(_ seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let messages = messages(&random)
        for padding in 0...8 {
            let frame = RawFrame.bytes(messages, padding: padding)
            #expect(RawFrame.messages(frame) == messages)
            #expect(RawFrame.bytes(RawFrame.messages(frame), padding: padding) == frame)
        }
    }

    @Test("Random bytes give only messages that lie in them whole, and never crash", arguments: 0..<200)
    func garbage(_ seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        for _ in 0..<50 {
            let frame = random.bytes(atMost: 260)
            let messages = RawFrame.messages(frame)
            let whole = RawFrame.bytes(messages, padding: 0)
            #expect(whole == Array(frame.prefix(whole.count)))
            let rest = frame.dropFirst(whole.count)
            // What is left is an end, or too short for what it announces.
            if rest.count >= 4, rest.prefix(4).contains(where: { $0 != 0 }) {
                let size = rest[rest.startIndex + 3] & 0x80 != 0 ? 34 : 16
                #expect(rest.count < size)
            }
        }
    }

    @Test("A message that is cut does not go on in the next notification", arguments: 0..<50)
    func boundaries(_ seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let frame = RawFrame.bytes(messages(&random), padding: 0)
        let cut = Int.random(in: 0...frame.count, using: &random)
        let parts = [Array(frame[..<cut]), Array(frame[cut...])]
        var bench = Bench()
        bench.connect()
        bench.command("input_mode", "raw")
        bench.acknowledge()
        _ = bench.take()
        for part in parts { bench.feed(.notification(GATT.raw, part)) }
        let expected = parts.flatMap { RawFrame.messages($0) }.map { "raw = \($0.report(Sensitivity()))" }
        #expect(bench.take() == expected)
    }
}
