import Bluetooth
import DeviceFiles
import DeviceKit
import Testing

@Suite("What a device of a file states about itself")
struct IdentityTests {
    private static let text = Sample.text(packet: ["{ a: u8 }"])
    private static let maker = text.replacing("title: Probe\n", with: "title: Probe\nmanufacturer: Acme\n")

    private static func id(_ uuid: UUID) -> CharacteristicID { CharacteristicID(service: 0x180A, uuid: uuid) }

    /// Connects a device that has these characteristics of the service Device Information, and completes its setup.
    private func setUp(_ text: String, _ stated: [UUID]) throws -> (bench: MachineBench, effects: [Effect]) {
        var bench = try MachineBench(text)
        var table = Dictionary(
            bench.family.file.characteristics.map {
                ($0.id, CharacteristicProperties([.read, .notify, .write]))
            }
        ) { first, _ in first }
        for uuid in stated { table[Self.id(uuid)] = [.read] }
        _ = bench.effects(.connected(LinkProfile(characteristics: table)))
        let effects = bench.effects(.subscribed(bench.id("out"), .success(())))
        return (bench, effects)
    }

    private func identities(_ effects: [Effect]) -> [DeviceInfo] {
        effects.compactMap { if case .identify(let info) = $0 { info } else { nil } }
    }

    @Test("The values are read once the device is online, and are reported together")
    func values() throws {
        var (bench, effects) = try setUp(Self.maker, [0x2A29, 0x2A24, 0x2A25, 0x2A26, 0x2A27])
        #expect(effects.contains(.ready) && identities(effects) == [])
        let reads = effects.filter { if case .read = $0 { true } else { false } }
        #expect(reads.count == 5)
        let answers: [(UUID, [UInt8])] = [
            (0x2A29, Array("Polar Electro Oy\0".utf8)), (0x2A24, Array("H10".utf8)),
            (0x2A25, Array("1234".utf8)),
            (0x2A26, Array("3.1.1 ".utf8)), (0x2A27, []),
        ]
        effects = answers.flatMap { bench.effects(.readCompleted(Self.id($0.0), .success($0.1))) }
        #expect(
            identities(effects) == [
                DeviceInfo(manufacturer: "Polar Electro Oy", model: "H10", firmware: "3.1.1", serial: "1234")
            ])
        // A value that nobody asked for changes nothing.
        #expect(identities(bench.effects(.readCompleted(Self.id(0x2A24), .success([0x41])))) == [])
    }

    @Test("A value that cannot be read is left out, and the device stays online")
    func refused() throws {
        var (bench, _) = try setUp(Self.text, [0x2A29, 0x2A26])
        var effects = bench.effects(
            .readCompleted(Self.id(0x2A29), .failure(OperationError(.notPermitted, "refused"))))
        effects += bench.effects(.readCompleted(Self.id(0x2A26), .success([0x37])))
        #expect(identities(effects) == [DeviceInfo(firmware: "7")])
        #expect(effects.count == 1)
    }

    @Test("The file names the manufacturer of a device that does not; without both nothing is reported")
    func file() throws {
        #expect(identities(try setUp(Self.maker, []).effects) == [DeviceInfo(manufacturer: "Acme")])
        #expect(identities(try setUp(Self.text, []).effects) == [])
    }
}
