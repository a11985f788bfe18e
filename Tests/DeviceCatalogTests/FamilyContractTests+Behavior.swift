import Bluetooth
import BridgeTesting
import DeviceCatalog
import DeviceKit
import Testing

// Tests of the behavior of all machines.
extension FamilyContractTests {
    private func contract(_ name: String) throws -> DeviceFamilyContract {
        let family = try #require(Self.families.first { $0.name == name })
        return DeviceFamilyContract(family)
    }

    @Test(
        "A machine with a working device becomes ready and answers every command",
        arguments: FamilyContractTests.behaving)
    func peace(name: String) throws {
        let complaints = try contract(name).brokenPeace
        // The sample family has a command that is never answered, which the contract must detect.
        #expect(complaints.count == (name == "sample" ? 1 : 0), "\(complaints)")
    }

    @Test("Random inputs break no rule", arguments: FamilyContractTests.behaving, 0..<40)
    func behaviour(name: String, seed: Int) throws {
        #expect(try contract(name).brokenBehaviour(seed: UInt64(seed), steps: 400) == [])
    }

    @Test(
        "A machine without a link requests no operations, and answers each command once",
        arguments: FamilyContractTests.registered)
    func away(_ name: String) throws {
        var session = MachineHarness(try #require(Registry.families.named(name)))
        session.feed(.disconnected)
        for feature in session.family.features {
            guard let command = feature.command else { continue }
            let id = session.command(feature.name, DeviceFamilyContract.payload(command.example))
            session.keepLatch()
            #expect(session.answers[id]?.count == 1, "\(feature.name)")
        }
        #expect(session.wishes.allSatisfy { LinkOperation($0.effect) == nil && $0.effect != .ready })
    }
}
