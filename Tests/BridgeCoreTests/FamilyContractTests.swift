import Bluetooth
import BridgeTesting
import DeviceCatalog
import DeviceKit
import Testing

@Suite("What every family keeps")
struct FamilyContractTests {
    /// The sample stands for the contract itself: it keeps it, but for the command that it never answers.
    private static let families: [any DeviceFamily] = Registry.families + [SampleFamily()]
    static var names: [String] { families.map(\.name) }

    private func contract(_ name: String) throws -> DeviceFamilyContract {
        let family = try #require(Self.families.first { $0.name == name })
        let reply = try #require(Self.replies[name], "say how a device of this family behaves")
        return DeviceFamilyContract(family, reply: reply)
    }

    /// How a device of each family replies when all is well: from the documents of its protocol, not from its codec.
    private static let replies: [String: @Sendable (FakeLink.Operation) -> DeviceFamilyContract.Reply] = [
        "belt": { operation in
            func characteristic(_ uuid: UInt16) -> CharacteristicID {
                CharacteristicID(service: 0xFE51, uuid: UUID(uuid))
            }
            func notify(_ bytes: [UInt8]) -> DeviceFamilyContract.Reply {
                DeviceFamilyContract.Reply(notifications: [characteristic(0xFE06): bytes])
            }
            switch operation {
            case .read(characteristic(0xFE01)): return DeviceFamilyContract.Reply(value: [60, 0, 1])
            case .write(characteristic(0xFE05), let bytes, _) where bytes.count > 1:
                switch (bytes[0], bytes[1]) {
                case (0x01, 0x80...): return notify([0x01, bytes[1] & 0x7F] + bytes[2...])
                case (0x01, _): return notify([0x01, bytes[1], 1, 0])
                case (0x10, _): return notify([0x10, bytes[2], 1, 0])
                case (0x11, _): return notify([0x10, bytes[1]] + bytes[3...])
                default: return DeviceFamilyContract.Reply()
                }
            default: return DeviceFamilyContract.Reply()
            }
        },
        "sample": { operation in
            switch operation {
            case .read: DeviceFamilyContract.Reply(value: [42])
            case .write(_, let bytes, _) where bytes.first == 2:
                DeviceFamilyContract.Reply(notifications: [SampleFamily.status: bytes])
            default: DeviceFamilyContract.Reply()
            }
        },
    ]

    @Test("Its names are unique and can stand in topics", arguments: names)
    func declaredNames(name: String) throws {
        #expect(try contract(name).brokenNames == [])
    }

    @Test("Its examples, defaults and shorthands fit their declarations", arguments: names)
    func examples(name: String) throws {
        #expect(try contract(name).brokenExamples == [])
    }

    @Test("With a device that behaves well it gets ready, and answers every command", arguments: names)
    func peace(name: String) throws {
        let complaints = try contract(name).brokenPeace
        // The sample has a command that is never answered, which the contract must notice.
        #expect(complaints.count == (name == "sample" ? 1 : 0), "\(complaints)")
    }

    @Test("Its machine keeps the rules whatever happens", arguments: names, 0..<40)
    func behaviour(name: String, seed: Int) throws {
        #expect(try contract(name).brokenBehaviour(seed: UInt64(seed), steps: 400) == [])
    }
}
