import Bluetooth
import Testing

@testable import BridgeContract
@testable import BridgeParts

@Suite("Former names of devices")
struct FormerNamesTests {
    private let first = Address(number: 1)
    private let second = Address(number: 2)

    @Test("A command to a name that a device lost may be in transit for a minute")
    func underWay() {
        var names = FormerNames()
        names.lose("belt", at: .seconds(10))
        #expect(names.mayBeUnderWay(to: "belt", at: .seconds(69)))
        #expect(!names.mayBeUnderWay(to: "belt", at: .seconds(70)))
        #expect(!names.mayBeUnderWay(to: "tap", at: .seconds(10)))
        names.expire(at: .seconds(69))
        #expect(names.mayBeUnderWay(to: "belt", at: .seconds(69)))
        // Expired names are removed only when there are many.
        for number in 1...31 { names.lose("tap/\(number)", at: .seconds(11)) }
        names.expire(at: .seconds(70))
        #expect(!names.mayBeUnderWay(to: "belt", at: .seconds(69)))
        #expect(names.mayBeUnderWay(to: "tap/1", at: .seconds(69)))
    }

    @Test("Each device that had a name obeys stops under it, until it is removed")
    func addresses() {
        var names = FormerNames()
        names.add(["belt", "hall"], of: second)
        names.add(["belt"], of: first)
        names.add(["belt"], of: first)
        #expect(names.addresses(of: "belt") == [first, second] && names.addresses(of: "hall") == [second])
        #expect(names.names(of: second) == ["belt", "hall"])
        #expect(names.hasAddresses(of: "belt") && names.hasAddresses(of: "hall"))
        names.remove(second)
        #expect(names.addresses(of: "belt") == [first] && names.addresses(of: "hall").isEmpty)
        #expect(names.names(of: second).isEmpty && !names.hasAddresses(of: "hall"))
        names.remove(second)
        #expect(names.names(of: first) == ["belt"])
    }
}
