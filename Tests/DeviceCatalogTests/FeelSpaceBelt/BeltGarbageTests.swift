import Bluetooth
import DeviceKit
import HostTesting
import JSON
import Testing

@testable import DeviceCatalog

@Suite("Random input causes no crash and no wrong state")
struct BeltGarbageTests {
    private static let samples = [
        "01 03", "02 01 00 03 03", "01 01 03", "10 0A E1 00 A0 00 2C 01 01", "01 80 4B 00 12 38 FF D8 0E",
        "02 5A 00 2D 00 FE FF 0A 00 05 00 03 03 03 03 00", "0B 07 00 01 02 00 00 00 02 00 00 00",
        "01 05 01 E8 03 18 FC 00 00", "A0 78 56 34 12",
    ]

    @Test(
        "10,000 random and truncated notifications on every characteristic are survived",
        arguments: BeltGATT.table.map(\.0))
    func notifications(_ characteristic: CharacteristicID) {
        var dice = RandomSource(seed: 7)
        var bench = BeltBench.connected()
        for round in 0..<10_000 {
            var value = bytes(Self.samples[round % Self.samples.count])
            if round % 3 == 0 {
                value = (0..<Int.random(in: 0...40, using: &dice)).map { _ in
                    .random(in: 0...255, using: &dice)
                }
            } else {
                value = Array(value.prefix(Int.random(in: 0...value.count, using: &dice)))
                if let index = value.indices.randomElement(using: &dice), round % 3 == 1 {
                    value[index] = .random(in: 0...255, using: &dice)
                }
            }
            bench.feed(.notification(characteristic, value))
            bench.acknowledge()
            // A notified standby ends the link; another belt connects.
            if bench.take().contains("fail poweredOff") {
                bench.feed(.disconnected)
                bench.connect()
            }
        }
        bench.feed(.disconnected)
        bench.connect()
        _ = bench.take()
        bench.command("signal", "warning")
        #expect(bench.take() == ["> FE03 20 00"])
    }

    @Test("Decoders accept every length")
    func decoders() {
        var dice = RandomSource(seed: 9)
        for round in 0..<20_000 {
            let value: [UInt8] = (0..<(round % 24)).map { index in
                index == 0 && round % 2 == 0
                    ? [0, 1, 2, 0x0B, 0x0C, 0x10, 0x11, 0x12, 0x20, 0x30, 0x40, 0xA0][round % 12]
                    : .random(in: 0...255, using: &dice)
            }
            _ = BeltParameterRequest(value).map { #expect(BeltParameterRequest($0.bytes) != nil) }
            if let command = BeltVibrationCommand(value) {
                #expect(BeltVibrationCommand(command.bytes) == command)
            }
            if let tone = BeltTone(value) { #expect(BeltTone(tone.bytes) == tone) }
            if let packet = BeltSensorPacket(value) { #expect(BeltSensorPacket(packet.bytes) == packet) }
            if let message = BeltDebugMessage(value) { #expect(BeltDebugMessage(message.bytes) != nil) }
            _ = BeltDebugRequest(value)
            _ = BeltParameterNotification(value)?.content
        }
    }

    @Test("10,000 random payloads for every command are answered, and the belt still works")
    func commands() {
        var dice = RandomSource(seed: 11)
        let features = BeltFamily().features.filter { $0.command != nil }
        var bench = BeltBench.connected()
        for round in 0..<10_000 {
            let feature = features[round % features.count]
            guard let command = feature.command else { continue }
            let id = bench.command(feature.name, Self.payload(command, &dice))
            bench.acknowledge()
            bench.advance(by: .seconds(25))
            bench.acknowledge()
            #expect(bench.answers[id]?.count == 1)
            if round % 500 == 0 {
                bench.feed(.disconnected)
                bench.connect()
            }
            _ = bench.take()
        }
        #expect(bench.answers.values.allSatisfy { $0.count == 1 })
        bench.command("signal", "warning")
        #expect(bench.take() == ["> FE03 20 00"])
    }

    /// Returns noise, or the example with changed bytes or shuffled values.
    private static func payload(_ command: Command, _ dice: inout RandomSource) -> String {
        let example = Array(command.example.description.utf8)
        switch Int.random(in: 0...3, using: &dice) {
        case 0:
            return String(
                decoding: (0..<20).map { _ in UInt8.random(in: 0...255, using: &dice) }, as: UTF8.self)
        case 1:
            var bytes = example
            if let index = bytes.indices.randomElement(using: &dice) {
                bytes[index] = .random(in: 0x20...0x7E, using: &dice)
            }
            return String(decoding: bytes, as: UTF8.self)
        case 2:
            return String(
                decoding: example.prefix(Int.random(in: 0...example.count, using: &dice)), as: UTF8.self)
        default:
            let values = [
                "0", "1", "-1", "90", "359.5", "1e300", "null", "true", "\"app\"", "[]", "{}", "[0,8]",
                "\"\"",
            ]
            let members = command.fields.filter { _ in Bool.random(using: &dice) }.map {
                "\"\($0.name)\":\(values.randomElement(using: &dice) ?? "0")"
            }
            return "{\(members.joined(separator: ","))}"
        }
    }
}
