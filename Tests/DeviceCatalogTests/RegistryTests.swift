import DeviceKit
import Foundation
import Testing

@testable import DeviceCatalog

@Suite("The registry holds every family")
struct RegistryTests {
    @Test("Names are unique and found again")
    func names() {
        let names = Registry.families.map(\.name)
        #expect(Set(names).count == names.count)
        for name in names { #expect(Registry.family(named: name)?.name == name) }
        #expect(Registry.family(named: "toaster") == nil)
    }

    @Test("Every folder of Sources/Devices has its family here")
    func folders() throws {
        let devices = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/Devices")
        let folders = try FileManager.default.contentsOfDirectory(
            at: devices, includingPropertiesForKeys: [.isDirectoryKey]
        ).filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
        let modules = Registry.families.map { String(reflecting: type(of: $0)).split(separator: ".")[0] }
        #expect(Set(folders.map(\.lastPathComponent)) == Set(modules.map { String($0) }))
    }
}
