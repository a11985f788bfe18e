import Bluetooth
import DeviceKit
import Haptics
import JSON
import ProtocolVectors
import Testing

@testable import DeviceCatalog

/// Decodes every worked example of docs/protocols/vectors/tap.json with the codec and the machine of the family.
@Suite("The worked examples of the TAP")
struct TapVectorTests {
    private static let target = "DeviceCatalogTests/Tap"
    private static let file = VectorFile.named("tap")
    private static let renderings = VectorFile.named("haptic-patterns")

    private static func vectors(_ kinds: String...) -> [ProtocolVector] {
        file.vectors.filter { kinds.contains($0.kind) }
    }

    @Test("Each kind of example has a decoder, and each decoder has an example")
    func kinds() {
        let packets = Set(TapVectorReading.readers.map(\.key))
        let others: Set = ["subscription", "conversation", "framed-command", "framed-report"]
        #expect(packets.union(others) == Self.file.kinds(readBy: Self.target))
        #expect(["tap-rendering"] == Self.renderings.kinds(readBy: Self.target))
    }

    @Test(
        "A value is decoded as in the example, and encoded again",
        arguments: file.vectors(readBy: target).filter { TapVectorReading.readers[$0.kind] != nil })
    func value(_ vector: ProtocolVector) throws {
        let read = try #require(TapVectorReading.readers[vector.kind])
        guard vector.means != .null else {
            #expect(read(vector.bytes) == nil, "it is ignored")
            return
        }
        let reading = try #require(read(vector.bytes))
        let means = vector.means.without(reading.leftOut)
        #expect(reading.means.agrees(with: means), "it reads \(reading.means)")
        guard let written = reading.bytes else { return }
        if vector.isWritten {
            #expect(ProtocolVector.hex(written) == ProtocolVector.hex(vector.bytes))
        } else {
            #expect(written != vector.bytes, "the code writes it, too")
        }
    }

    @Test(
        "A notification of a TAP is published as in the example",
        arguments: vectors("tap", "mouse", "air", "charge"))
    func published(_ vector: ProtocolVector) throws {
        var bench = TapBench.online()
        let characteristic = try #require(TapVectorReading.characteristic(vector.at))
        bench.feed(.notification(characteristic, vector.bytes))
        let lines = bench.take()
        switch vector.kind {
        case "tap" where vector.means["combination"] == 0:
            #expect(lines == ["keyboard = \(vector.means.without(["combination", "fingers", "repeat"]))"])
        case "tap": #expect(lines == ["tapped = \(vector.means)"])
        case "mouse" where vector.means == .null: #expect(lines == [])
        case "mouse": #expect(lines == ["moused = \(vector.means)"])
        case "air" where vector.means["air_mouse"] != nil:
            #expect(lines == ["air_mouse = \(vector.means["air_mouse"] ?? nil)"])
        case "air": #expect(lines == ["gesture = \(vector.means)"])
        default: #expect(lines == ["battery = \(vector.means)"])
        }
    }

    @Test("Raw values are scaled as in the example", arguments: vectors("raw"))
    func scaled(_ vector: ProtocolVector) throws {
        guard let sensitivity = vector.means["sensitivity"] else { return }
        var bench = TapBench.connected()
        bench.command("input_mode", #"{"mode":"raw","sensitivity":\#(sensitivity)}"#)
        bench.acknowledge()
        _ = bench.take()
        bench.feed(.notification(TapGATT.raw, vector.bytes))
        let published = bench.take()
        let expected = try #require(vector.means["messages"]?.array).map { message in
            var report: JSON.Object = [:]
            for key in ["type", "timestamp_ms"] { report[key] = message[key] }
            for member in message["scaled"]?.object?.members ?? [] { report[member.key] = member.value }
            return "raw = \(JSON.Value.object(report))"
        }
        #expect(published == expected)
    }

    @Test("Notifications are enabled as in the example", arguments: vectors("subscription"))
    func subscription(_ vector: ProtocolVector) throws {
        var bench = TapBench()
        bench.begin()
        let at = try #require(vector.at)
        #expect(bench.take().contains("subscribe \(at)"))
        // The link writes the descriptor.
        #expect(vector.bytes == [0x01, 0x00] && vector.means["descriptor"] == "2902")
    }

    @Test("A conversation proceeds as in the example", arguments: vectors("conversation"))
    func conversation(_ vector: ProtocolVector) throws {
        var bench = TapBench.connected(.xr)
        bench.advance(by: .seconds(1))
        (_, _) = (bench.take(), bench.takeCommands())
        var isToldByDevice = false
        /// The published values that the example has not listed yet.
        var published: [String] = []
        var earliest = bench.now
        for step in vector.steps {
            switch step {
            case .device(let packet):
                // All values published so far must be in the example.
                #expect(published + bench.take() == [])
                isToldByDevice = true
                bench.feed(
                    .notification(try #require(TapVectorReading.characteristic(packet.at)), packet.bytes))
                published = bench.take()
            case .application(let feature, let value) where isToldByDevice:
                #expect(published.first == "\(feature) = \(value)")
                published = Array(published.dropFirst())
            case .application(let feature, let value):
                bench.command(feature, "\(value)")
                earliest = bench.now
            case .client(let packet, _):
                var waited = 0
                while bench.commands.isEmpty, waited < 11_000 {
                    bench.advance(by: .milliseconds(1))
                    waited += 1
                }
                let first = try #require(bench.commands.first)
                #expect(first.hex == ProtocolVector.hex(packet.bytes))
                #expect(first.time >= earliest, "it comes too early")
                _ = bench.takeCommands()
                bench.acknowledge()
                earliest = bench.now
            // The period of the refresh starts with the connection, the pause between two writes with the first
            // write.
            case .pause(let milliseconds) where milliseconds < 1000: earliest += .milliseconds(milliseconds)
            case .pause, .wearer: break
            }
        }
        if isToldByDevice { #expect(published + bench.take() == []) }
    }

    @Test(
        "A pattern is rendered as the rhythms of the example",
        arguments: renderings.vectors.filter { $0.kind == "tap-rendering" })
    func rendering(_ vector: ProtocolVector) throws {
        guard case .play(let performance) = try Order(try #require(vector.means.object)) else {
            Issue.record("nothing is played")
            return
        }
        let written = TapHapticRendering(performance.timeline).cues.map { cue in
            "\(Int(cue.time / .milliseconds(1))) c3ff0009 \(ProtocolVector.hex(cue.message.bytes))"
        }
        let expected = vector.steps.compactMap { step in
            guard case .client(let packet, let time?) = step else { return String?.none }
            return "\(time) \(packet.at) \(ProtocolVector.hex(packet.bytes))"
        }
        #expect(written == expected)
    }
}
