import Bluetooth
import ESPHome
import HostTesting
import Testing

@Suite("Messages of ESPHome's API")
struct MessageTests {
    /// The vectors whose encoding differs from the firmware's, in which the codec writes them: packed lists, an empty
    /// value, and fields that are unknown.
    private static let otherForms = [
        "services_long_packed", "services_second", "slots_packed", "advert_empty_firmware", "unknown_fields",
    ]

    @Test("Every vector has the expected fields, byte by byte", arguments: VectorFile.plain)
    func vector(_ vector: VectorFile.Plain) throws {
        guard vector.name != "unknown_type" else {
            #expect(try Message(vector.frame) == nil)
            return
        }
        let message = try #require(try Message(vector.frame))
        #expect(message == ExpectedMessages.all[vector.name])
        guard !Self.otherForms.contains(vector.name) else { return }
        #expect(message.frame == vector.frame)
    }

    @Test("There are 74 vectors, one for each expected message and one that is unknown")
    func count() {
        #expect(VectorFile.plain.count == 74)
        #expect(Set(VectorFile.plain.map(\.name)).subtracting(ExpectedMessages.all.keys) == ["unknown_type"])
    }

    @Test("A packed list has the same meaning as the firmware's unpacked list")
    func packed() throws {
        for (packed, unpacked) in [
            ("slots_packed", "slots_unpacked"), ("services_long_packed", "services_long_unpacked"),
        ] {
            let one = try #require(VectorFile.plain.first { $0.name == packed })
            let other = try #require(VectorFile.plain.first { $0.name == unpacked })
            #expect(one.bytes != other.bytes)
            #expect(try Message(one.frame)?.frame == other.frame)
        }
    }

    @Test(
        "10,000 mutations of each message are read again as the same message, or rejected",
        arguments: VectorFile.plain)
    func mutations(_ vector: VectorFile.Plain) throws {
        var random = RandomSource(seed: UInt64(vector.frame.type))
        var readable = 0
        for _ in 0..<10_000 {
            let payload = VectorFile.mutant(of: vector.frame.payload, using: &random)
            let message: Message?
            do {
                message = try Message(Frame(type: vector.frame.type, payload: payload))
            } catch {
                #expect(!error.description.isEmpty)
                continue
            }
            guard let message else { continue }
            readable += 1
            let frame = message.frame
            // A replaced byte of a text takes three bytes, a negative number ten.
            #expect(frame.payload.count <= 3 * payload.count + 10, "\(payload)")
            #expect(try Message(frame) == message, "\(payload)")
        }
        #expect(readable > 0 || vector.name == "unknown_type")
    }

    @Test(
        "An invalid message is rejected with what was found and what is allowed",
        arguments: [
            (69, "08", "the message ends in the middle of a number"),
            (69, "08ffffffffffffffffff7f", "a number has more than 64 bits"),
            (69, "08ffffffffffffff01", "field 1 is 1125899906842623, expected at most 281474976710655"),
            (74, "1080800c", "field 2 is 196608, expected at most 65535"),
            (74, "1a03", "the message ends after 0 of 3 bytes of a field"),
            (74, "1a808080808080808001", "the message ends after 0 of 72057594037927936 bytes of a field"),
            (74, "0a00", "field 1 has the wrong wire type"),
            (74, "0b", "field 1 has the wire type 3, expected 0, 1, 2 or 5"),
            (74, "00", "a field has the number 0, expected 1 to 536870911"),
            (
                93, "0a4122" + "3f" + String(repeating: "00", count: 63),
                "field 4 has 63 bytes, expected at most 62"
            ),
        ])
    func invalid(type: UInt16, payload: String, reason: String) throws {
        let bytes = try #require(Hex.bytes(payload))
        #expect(throws: MessageError(reason)) { try Message(Frame(type: type, payload: bytes)) }
    }

    @Test("A list has at most 4096 elements, packed or not")
    func lists() throws {
        let limit = 4096
        let packed: [UInt8] = [0x1A, 0x80, 0x20] + [UInt8](repeating: 1, count: limit)
        #expect(throws: Never.self) { try Message(Frame(type: 81, payload: packed)) }
        let more = packed + [0x18, 1]
        #expect(throws: MessageError("field 3 has more than 4096 elements")) {
            try Message(Frame(type: 81, payload: more))
        }
        let messages = [[UInt8]](repeating: [0x0A, 0], count: limit + 1).flatMap(\.self)
        #expect(throws: MessageError("field 1 has more than 4096 elements")) {
            try Message(Frame(type: 93, payload: messages))
        }
    }

    @Test("A UUID has a short form only for clients that know it")
    func uuids() {
        var entry = ServiceEntry()
        #expect(entry.uuid == nil)
        entry.setUUID(0x180D, mayBeShort: true)
        #expect((entry.shortUUID, entry.uuidHalves) == (0x180D, []))
        #expect(entry.uuid == 0x180D)
        entry.setUUID(0x180D, mayBeShort: false)
        #expect((entry.shortUUID, entry.uuidHalves) == (0, [0x0000_180D_0000_1000, 0x8000_0080_5F9B_34FB]))
        #expect(entry.uuid == 0x180D)
        entry.shortUUID = 0x1234_5678
        #expect(entry.uuid == "12345678-0000-1000-8000-00805F9B34FB")
    }

    @Test("Old firmware states its capabilities as a number")
    func legacy() {
        var info = DeviceInfo()
        #expect(info.proxyFeatures == [])
        info.legacyProxyVersion = 3
        #expect(info.proxyFeatures == [.scan, .connect, .remoteCache])
        info.legacyProxyVersion = 9
        #expect(info.proxyFeatures == [.scan, .connect, .remoteCache, .pair, .clearCache])
        info.features = 97
        #expect(info.proxyFeatures == [.scan, .rawAdvertisements, .scannerState])
    }
}
