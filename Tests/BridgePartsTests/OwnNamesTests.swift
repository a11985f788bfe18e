import Bluetooth
import BridgeParts
import Testing

@Suite("The names that devices give themselves")
struct OwnNamesTests {
    private static let (one, two, three): (Address, Address, Address) = (
        "C0:FF:EE:00:00:01", "C0:FF:EE:00:00:02", "C0:FF:EE:00:00:03"
    )

    @Test("A device without a name has none, and a name of its own is displayed as it is")
    func alone() {
        var names = OwnNames()
        #expect(names[Self.one] == nil)
        var changed = names.set("Anna's belt", of: Self.one)
        #expect(changed == [] && names[Self.one] == "Anna's belt")
        changed = names.set(nil, of: Self.one)
        #expect(changed == [] && names[Self.one] == nil)
    }

    @Test(
        "Devices with the same name are distinguished by their addresses, and the first one changes with the second"
    )
    func shared() {
        var names = OwnNames()
        _ = names.set("HRM", of: Self.one)
        var changed = names.set("HRM", of: Self.two)
        #expect(changed == [Self.one])
        #expect(names[Self.one] == "HRM 000001" && names[Self.two] == "HRM 000002")
        changed = names.set("HRM", of: Self.three)
        #expect(changed == [])
        changed = names.set("HRM", of: Self.three)
        #expect(changed == [])
        changed = names.set("Ben's strap", of: Self.three)
        #expect(changed == [] && names[Self.three] == "Ben's strap")
        changed = names.set(nil, of: Self.two)
        #expect(changed == [Self.one] && names[Self.one] == "HRM")
    }

    @Test("A device that takes the name of a second one and leaves the name of a third one changes both")
    func moved() {
        var names = OwnNames()
        _ = names.set("HRM", of: Self.one)
        _ = names.set("HRM", of: Self.two)
        _ = names.set("Belt", of: Self.three)
        let changed = names.set("Belt", of: Self.two)
        #expect(changed == [Self.one, Self.three])
    }
}
