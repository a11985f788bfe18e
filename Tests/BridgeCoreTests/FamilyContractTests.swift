import BridgeTesting
import DeviceCatalog
import DeviceKit
import Testing

@Suite("What every family keeps")
struct FamilyContractTests {
    /// The sample stands for the contract itself: it keeps it.
    static let families: [any DeviceFamily] = Registry.families + [SampleFamily()]
    static var names: [String] { families.map(\.name) }

    private func contract(_ name: String) throws -> DeviceFamilyContract {
        DeviceFamilyContract(try #require(Self.families.first { $0.name == name }))
    }

    @Test("Its names are unique and can stand in topics", arguments: names)
    func declaredNames(name: String) throws {
        #expect(try contract(name).brokenNames == [])
    }

    @Test("Its examples, defaults and shorthands fit their declarations", arguments: names)
    func examples(name: String) throws {
        #expect(try contract(name).brokenExamples == [])
    }

    @Test("Its machine keeps the rules whatever happens", arguments: names, 0..<40)
    func behaviour(name: String, seed: Int) throws {
        #expect(try contract(name).brokenBehaviour(seed: UInt64(seed), steps: 400) == [])
    }
}
