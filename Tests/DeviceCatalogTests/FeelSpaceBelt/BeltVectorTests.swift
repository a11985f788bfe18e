import Bluetooth
import DeviceKit
import Haptics
import JSON
import ProtocolVectors
import Testing

@testable import DeviceCatalog

/// Decodes every worked example of docs/protocols/vectors/belt.json with the codec of the family.
@Suite("The worked examples of the belt")
struct BeltVectorTests {
    private static let target = "DeviceCatalogTests/FeelSpaceBelt"
    private static let file = VectorFile.named("belt")
    private static let renderings = VectorFile.named("haptic-patterns")

    @Test("Each kind of example has a decoder, and each decoder has an example")
    func kinds() {
        let packets = Set(BeltVectorReading.readers.map(\.key))
        #expect(
            packets.union(["conversation", "throttle", "usb-frame"]) == Self.file.kinds(readBy: Self.target))
        #expect(["belt-rendering"] == Self.renderings.kinds(readBy: Self.target))
    }

    @Test(
        "A packet is decoded as in the example, and encoded again",
        arguments: file.vectors(readBy: target).filter { BeltVectorReading.readers[$0.kind] != nil })
    func packet(_ vector: ProtocolVector) throws {
        let read = try #require(BeltVectorReading.readers[vector.kind])
        let reading = try #require(read(vector.bytes))
        #expect(reading.means.agrees(with: vector.means), "it reads \(reading.means)")
        if vector.isWritten {
            #expect(ProtocolVector.hex(reading.bytes) == ProtocolVector.hex(vector.bytes))
        } else {
            #expect(reading.bytes != vector.bytes, "the code writes it, too")
        }
        if reading.minimum > 0 {
            #expect(vector.bytes.count >= reading.minimum)
            #expect(read(Array(vector.bytes.prefix(reading.minimum - 1))) == nil, "it is too short")
        }
        if reading.takesMore {
            #expect(read(vector.bytes + [7, 7])?.means.agrees(with: vector.means) == true)
        }
        if let answer = vector.answer, answer.at == "FE06" {
            #expect(BeltParameterNotification(answer.bytes)?.content != nil, "the answer means something")
        }
    }

    @Test(
        "A signal of the navigation controller has the packet of the example",
        arguments: file.vectors.filter { $0.json["signal"] != nil })
    func signal(_ vector: ProtocolVector) throws {
        let json = try #require(vector.json["signal"])
        let name = try #require(json["name"]?.string)
        let signal = try #require(BeltSignal(name: name))
        let channel = try #require((vector.means["channel"] ?? vector.means["stop"])?.integer)
        let command = signal.command(on: UInt8(channel), direction: json["direction"]?.integer)
        let written = try #require(command).bytes
        #expect(ProtocolVector.hex(written) == ProtocolVector.hex(vector.bytes))
    }

    @Test(
        "A conversation proceeds as in the example",
        arguments: file.vectors.filter { $0.kind == "conversation" })
    func conversation(_ vector: ProtocolVector) {
        var bench = BeltBench.online(mode: .wait)
        for step in vector.steps {
            switch step {
            case .application(let feature, let value):
                #expect(bench.takeWrites() == [])
                bench.command(feature, "\(value)")
            case .client(let packet, _):
                var written = bench.takeWrites()
                // The throttle delays a signal that follows another too soon.
                if written.isEmpty {
                    bench.advance(by: .milliseconds(100))
                    written = bench.takeWrites()
                }
                #expect(written == ["\(packet.at) \(ProtocolVector.hex(packet.bytes))"])
                bench.acknowledge()
            case .device(let packet):
                #expect(bench.takeWrites() == [])
                bench.feed(.notification(Self.characteristic(packet.at), packet.bytes))
            case .wearer, .pause: break
            }
        }
        bench.advance(by: .seconds(1))
        #expect(bench.takeWrites() == [])
    }

    @Test(
        "Updates are merged as in the example", arguments: file.vectors.filter { $0.kind == "throttle" })
    func throttle(_ vector: ProtocolVector) throws {
        func pairs(_ key: String) throws -> [[Int]] {
            try #require(vector.means[key]?.array).map { ($0.array ?? []).compactMap(\.integer) }
        }
        var bench = BeltBench.connected(mode: .app)
        bench.advance(by: .seconds(1))
        let start = bench.now
        _ = bench.takeWrites()
        var packets: [[Int]] = []
        func note(_ bench: inout BeltBench) throws {
            for line in bench.takeWrites() where line.hasPrefix("FE03 ") {
                let command = try #require(BeltChannelConfiguration(bytes(String(line.dropFirst(5)))))
                packets.append([Int((bench.now - start) / .milliseconds(1)), Int(command.place.value)])
            }
            bench.acknowledge()
        }
        for update in try pairs("updates") {
            while bench.now < start + .milliseconds(update[0]) { bench.advance(by: .milliseconds(1)) }
            bench.command(
                "navigation", #"{"state":"navigating","direction":\#(update[1]),"reference":"belt"}"#)
            try note(&bench)
        }
        for _ in 0..<1000 {
            bench.advance(by: .milliseconds(1))
            try note(&bench)
        }
        #expect(packets == (try pairs("packets")))
    }

    @Test(
        "A frame of the serial port contains a packet",
        arguments: file.vectors.filter { $0.kind == "usb-frame" })
    func frame(_ vector: ProtocolVector) throws {
        let payload = Array(vector.bytes.dropFirst(2))
        #expect(Int(vector.bytes[1]) == payload.count)
        #expect(
            vector.means.agrees(with: [
                "handle": .integer(Int(vector.bytes[0])), "payload": .string(ProtocolVector.hex(payload)),
            ]))
        // The handles of FE05, of FE06, and of FE0C's descriptor.
        switch vector.bytes[0] {
        case 41: #expect(BeltParameterRequest(payload) == .read(.mode))
        case 43: #expect(BeltParameterNotification(payload)?.content == .mode(.wait))
        default: #expect(payload == [0x01, 0x00])
        }
    }

    @Test(
        "A pattern is rendered as the commands of the example",
        arguments: renderings.vectors.filter { $0.kind == "belt-rendering" })
    func rendering(_ vector: ProtocolVector) throws {
        let version = try #require(vector.means["firmware"]?.integer)
        var arguments = try #require(vector.means.object)
        arguments["firmware"] = nil
        guard case .play(let performance) = try Order(arguments) else {
            Issue.record("nothing is played")
            return
        }
        let timeline = performance.timeline.placed { _ in BeltPlace.motor(0).inPattern }
        let written = BeltHapticRendering(timeline, slots: 1).cues.map { cue in
            let command = cue.message.command(
                on: 1, firmware: BeltFirmwareInformation(version: UInt16(version)))
            return "\(Int(cue.time / .milliseconds(1))) FE03 \(ProtocolVector.hex(command.bytes))"
        }
        let expected = vector.steps.compactMap { step in
            guard case .client(let packet, let time?) = step else { return String?.none }
            return "\(time) \(packet.at) \(ProtocolVector.hex(packet.bytes))"
        }
        #expect(written == expected)
    }

    private static func characteristic(_ name: String) -> CharacteristicID {
        BeltGATT.table.map(\.characteristic).first { $0.description == name } ?? BeltGATT.firmware
    }
}
