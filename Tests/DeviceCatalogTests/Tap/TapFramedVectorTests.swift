import Bluetooth
import DeviceKit
import JSON
import ProtocolVectors
import Testing

@testable import DeviceCatalog

/// Decodes and encodes every worked example of the framed protocol.
@Suite("The worked examples of the TAP's framed protocol")
struct TapFramedVectorTests {
    private static let file = VectorFile.named("tap")
    private static func vectors(_ kind: String) -> [ProtocolVector] {
        file.vectors.filter { $0.kind == kind }
    }

    /// Returns the command that an example describes.
    private func meant(by means: JSON.Value) -> TapFrameCommand? {
        func named(_ name: String?) -> TapSwitch? { TapSwitch.allCases.first { $0.name == name } }
        if let name = means["ask"]?.string {
            switch name {
            case "vision_mode": return .askVisionMode
            case "vision_model": return .askVisionModel
            case "sensitivity": return .askSensitivity
            case "standby": return .askStandby
            default: return named(name).map { .ask($0) }
            }
        }
        if let feature = named(means["switch"]?.string), let isOn = means["on"]?.bool {
            return .set(feature, isOn)
        }
        if let mode = means["vision_mode"]?.string {
            return TapVisionMode(name: mode).map { .setVisionMode($0) }
        }
        if let model = means["vision_model"]?.string {
            return TapVisionModel(name: model).map { .setVisionModel($0) }
        }
        if let codes = means["sensitivity"], let gyro = codes["gyro"]?.integer,
            let accelerometer = codes["accelerometer"]?.integer
        {
            return .setSensitivity(TapSensitivity(codes: 0, UInt8(gyro), UInt8(accelerometer)))
        }
        if let durations = means["durations_ms"]?.array?.compactMap(\.integer) {
            return TapHapticSequence(milliseconds: durations).map { .vibrate($0.bytes) }
        }
        if let state = means["standby"]?.bool { return .setStandby(state) }
        return means["keep_alive"] == true ? .keepAlive : nil
    }

    @Test("A command is encoded as in the example", arguments: vectors("framed-command"))
    func written(_ vector: ProtocolVector) throws {
        let command = try #require(meant(by: vector.means))
        #expect(ProtocolVector.hex(command.bytes) == ProtocolVector.hex(vector.bytes))
        #expect(vector.at == "c3ff000f")
    }

    @Test(
        "A report of a TAP is published as in the example, or counted", arguments: vectors("framed-report"))
    func published(_ vector: ProtocolVector) throws {
        var bench = TapBench()
        bench.connectFramed(codes: (2, 3))
        _ = bench.take()
        let unknown = bench.unknownFrames
        bench.feed(.notification(TapGATT.frames, vector.bytes))
        let lines = bench.take()
        guard vector.means != .null else {
            #expect(lines == [])
            #expect(bench.unknownFrames == unknown + 1)
            return
        }
        #expect(bench.unknownFrames == unknown)
        guard let (feature, value) = vector.means.object?.members.first.map({ ($0.key, $0.value) }) else {
            #expect(lines == [])
            return
        }
        if feature == "sensing" {
            let key = try #require(value.object?.members.first)
            let line = try #require(lines.first)
            #expect(line.hasPrefix("sensing = ") && line.contains("\"\(key.key)\":\(key.value)"), "\(line)")
        } else {
            #expect(lines.contains("\(feature) = \(value)"), "\(lines)")
        }
    }
}
