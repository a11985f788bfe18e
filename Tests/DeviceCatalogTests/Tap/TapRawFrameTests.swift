import DeviceKit
import HostTesting
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Raw frames, complete and damaged")
struct TapRawFrameTests {
    private static let imu = "7B 00 00 00 64 00 9C FF C8 00 38 FF 2C 01 D4 FE"
    private static let fingers =
        "C8 01 00 80 01 00 02 00 03 00 04 00 05 00 06 00 07 00 08 00 09 00 0A 00 0B 00 0C 00 0D 00 0E 00 0F 00"
    private static let imuMessage = TapRawMessage(
        kind: .imu, timestamp: 123, samples: [100, -100, 200, -200, 300, -300])
    private static let fingersMessage = TapRawMessage(
        kind: .fingers, timestamp: 456, samples: (1...15).map { $0 })

    @Test(
        "Messages of a frame are decoded",
        arguments: [
            TapVector("padded", imu + " 00 00 00 00", [imuMessage]),
            TapVector("with stray zeros", imu + " 00 00 00", [imuMessage]),
            TapVector("in the other order", fingers + imu + "00", [fingersMessage, imuMessage]),
            TapVector("a whole and a truncated one", imu + " 01 00 00 00 02", [imuMessage]),
            TapVector("nothing behind the end counts", "00 00 00 00 " + imu, []), TapVector("empty", "", []),
        ])
    func messages(_ vector: TapVector<[TapRawMessage]>) {
        #expect(TapRawFrame.messages(bytes(vector.hex)) == vector.meaning)
    }

    @Test(
        "Every code has the documented scale",
        arguments: [
            (0, 31.25, 17.5, 0.122), (1, 3.90625, 4.375, 0.061), (2, 7.8125, 8.75, 0.122),
            (3, 15.625, 17.5, 0.244), (4, 31.25, 35, 0.488), (5, 31.25, 70, 0.122),
        ])
    func scales(_ code: UInt8, _ fingers: Double, _ gyro: Double, _ accelerometer: Double) {
        let sensitivity = TapSensitivity(codes: code, code, code)
        #expect(sensitivity.fingerScale.value(of: 1) == fingers)
        #expect(sensitivity.gyroScale.value(of: 1) == gyro)
        #expect(sensitivity.accelerometerScale.value(of: 1) == accelerometer)
    }

    // MARK: Properties

    private func messages(_ random: inout RandomSource) -> [TapRawMessage] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
            let kind: TapRawMessage.Kind = Bool.random(using: &random) ? .imu : .fingers
            return TapRawMessage(
                kind: kind, timestamp: UInt32.random(in: 1...0x7FFF_FFFF, using: &random),
                samples: (0..<kind.sampleCount).map { _ in Int16.random(in: .min ... .max, using: &random) })
        }
    }

    @Test("Encoded messages are decoded again, with any padding", arguments: 0..<200)
    func identity(_ seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let messages = messages(&random)
        for padding in 0...8 {
            let frame = TapRawFrame.bytes(messages, padding: padding)
            #expect(TapRawFrame.messages(frame) == messages)
            #expect(TapRawFrame.bytes(TapRawFrame.messages(frame), padding: padding) == frame)
        }
    }

    @Test("Random bytes decode only to complete messages and never crash", arguments: 0..<200)
    func garbage(_ seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        for _ in 0..<50 {
            let frame = random.bytes(atMost: 260)
            let messages = TapRawFrame.messages(frame)
            let whole = TapRawFrame.bytes(messages, padding: 0)
            #expect(whole == Array(frame.prefix(whole.count)))
            let rest = frame.dropFirst(whole.count)
            // The remainder is an end marker, or too short for the announced message.
            if rest.count >= 4, rest.prefix(4).contains(where: { $0 != 0 }) {
                let size = rest[rest.startIndex + 3] & 0x80 != 0 ? 34 : 16
                #expect(rest.count < size)
            }
        }
    }

    @Test("A truncated message does not continue in the next notification", arguments: 0..<50)
    func boundaries(_ seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        let frame = TapRawFrame.bytes(messages(&random), padding: 0)
        let cut = Int.random(in: 0...frame.count, using: &random)
        let parts = [Array(frame[..<cut]), Array(frame[cut...])]
        var bench = TapBench.connected()
        bench.command("input_mode", "raw")
        bench.acknowledge()
        _ = bench.take()
        for part in parts { bench.feed(.notification(TapGATT.raw, part)) }
        let expected = parts.flatMap { TapRawFrame.messages($0) }.map { message in
            "raw = \(TapFamily.raw.report(TapRawReport(message, TapSensitivity())))"
        }
        #expect(bench.take() == expected)
    }
}
