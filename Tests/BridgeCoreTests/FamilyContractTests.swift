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
        let reply = try #require(GoodDevice.reply(name), "say how a device of this family behaves")
        return DeviceFamilyContract(family, reply: reply)
    }

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
