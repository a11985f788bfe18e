import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("The registry holds every family")
struct RegistryTests {
    @Test("Names are unique and found again")
    func names() {
        let names = Registry.families.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(Registry.families.named(name)?.name == name) }
        #expect(Registry.families.named("toaster") == nil)
    }
}
