import Bluetooth
import Claims
import Testing

@Suite("Index of claims")
struct HoldersTests {
    private let one = Address(number: 1)
    private let two = Address(number: 2)

    private func claim(_ name: String?, by bridge: String = "cellar") -> ClaimMessage {
        ClaimMessage(claim: Claim(bridge: bridge, epoch: 1, state: .linked, name: name))
    }

    private func bearers(_ holders: ClaimIndex, _ name: String = "belt") -> [Address] {
        holders.claims(onName: name, of: one, unlessOf: "attic").map(\.address)
    }

    @Test("Devices are found by name, except for the given device and those of the given bridge")
    func bearers() {
        var holders = ClaimIndex()
        for address in [one, two] {
            let former = holders.heard(claim("belt"), on: address, at: .zero)
            #expect(former == nil)
        }
        #expect(bearers(holders) == [two])
        #expect(bearers(holders, "tap") == [])
        _ = holders.heard(claim("belt", by: "attic"), on: two, at: .zero)
        #expect(bearers(holders) == [])
    }

    @Test("A device loses its name when it is claimed with another name, without a name, or no longer")
    func left() {
        var holders = ClaimIndex()
        _ = holders.heard(claim("belt"), on: two, at: .zero)
        var former = holders.heard(claim("belt"), on: two, at: .zero)
        #expect(former == nil)
        former = holders.heard(claim("hall/belt"), on: two, at: .zero)
        #expect(former == "belt")
        #expect(bearers(holders) == [] && bearers(holders, "hall/belt") == [two])
        former = holders.heard(claim(nil), on: two, at: .zero)
        #expect(former == "hall/belt" && bearers(holders, "hall/belt") == [])
        _ = holders.heard(claim("belt"), on: two, at: .zero)
        former = holders.remove(two)
        #expect(former == "belt" && bearers(holders) == [])
        former = holders.remove(two)
        #expect(former == nil)
    }
}
