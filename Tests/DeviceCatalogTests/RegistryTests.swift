import Bluetooth
import DeviceKit
import Testing

@testable import DeviceCatalog

@Suite("The registry of families")
struct RegistryTests {
    @Test("The names of families are unique, and a family is found by its name")
    func names() {
        let names = Registry.families.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(Registry.families.named(name)?.name == name) }
        #expect(Registry.families.named("toaster") == nil)
    }

    @Test("Only robots are hazardous")
    func hazard() {
        #expect(Registry.families.filter(\.isHazardous).map(\.name) == ["robot"])
    }

    @Test("Belts and TAPs may be connected over a Bluetooth proxy, robots never")
    func proxies() {
        #expect(Registry.families.filter(\.requirements.mayUseProxy).map(\.name).sorted() == ["belt", "tap"])
        #expect(!Registry.families.contains { $0.isHazardous && $0.requirements.mayUseProxy })
    }

    @Test("A family recognizes a device by each recognition that it lists")
    func recognitions() {
        for family in Registry.families {
            #expect(!family.recognitions.isEmpty && family.source == .builtIn, "\(family.name)")
            for recognition in family.recognitions {
                let name = recognition.name?.replacing("*", with: "_1")
                let advertisement = Advertisement(
                    address: "AA:BB:CC:DD:EE:FF",
                    name: recognition.ignoresCase ? name?.uppercased() : name,
                    services: Set([recognition.service].compactMap(\.self)))
                #expect(family.recognises(advertisement), "\(family.name): \(recognition)")
            }
        }
    }
}
