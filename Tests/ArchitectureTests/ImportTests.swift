import Foundation
import Testing

@Suite("Permitted imports")
struct ImportTests {
    @Test("Every module imports only modules that it may import", arguments: Room.all.map(\.name))
    func imports(_ name: String) throws {
        let room = try #require(Room.all.first { $0.name == name })
        for file in try SourceFile.all(in: room.folder) {
            for (line, module) in file.imports where !room.mayImport.contains(module) {
                Issue.record(
                    """
                    \(file.path):\(line): \(room.name) must not import \(module); \
                    allowed: \(room.mayImport.sorted().joined(separator: " "))
                    """)
            }
        }
    }

    @Test("No module has permission for an import that it does not use", arguments: Room.all.map(\.name))
    func needs(_ name: String) throws {
        let room = try #require(Room.all.first { $0.name == name })
        let imports = try SourceFile.all(in: room.folder).flatMap { $0.imports.map(\.module) }
        let unused = room.mayImport.subtracting(imports).sorted()
        #expect(unused.isEmpty, "docs/architecture/README.md: \(name) does not import \(unused)")
    }

    @Test("Every folder of sources is a module of the table")
    func rooms() throws {
        let folders = Set(Room.all.map(\.folder) + Room.libraries.keys.map { "Sources/\($0)" })
        for file in try SourceFile.all(in: "Sources") {
            #expect(
                folders.contains { file.path.hasPrefix("\($0)/") },
                "\(file.path) is in no module of the table in docs/architecture/README.md")
        }
    }

    @Test(
        "Each C library is imported by exactly the modules that need it",
        arguments: Room.libraries.keys.sorted())
    func libraries(_ library: String) throws {
        let importers = try Room.all.filter { room in
            try SourceFile.all(in: room.folder).contains { file in
                file.imports.contains { $0.module == library }
            }
        }
        #expect(importers.map(\.name).sorted() == (try #require(Room.libraries[library])))
    }

    @Test("Only one command depends on the web server's library")
    func web() throws {
        #expect(
            Room.all.filter { !$0.mayImport.isDisjoint(with: Room.web) }.map(\.name) == [
                "tactile-bridge-console"
            ])
        let manifest = try String(
            contentsOf: SourceFile.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(manifest.components(separatedBy: "+ nio").count == 2)
    }

    @Test("The table lets few modules read YAML, and none import Foundation")
    func table() {
        #expect(Set(Room.all.filter { $0.mayImport.contains("YAML") }.map(\.name)) == Room.yamlReaders)
        let foundation: Set = ["Foundation", "FoundationEssentials"]
        #expect(Room.all.filter { !$0.mayImport.isDisjoint(with: foundation) }.isEmpty)
    }

    @Test(
        "An import is detected in any notation",
        arguments: [
            ("import Glibc", "Glibc"), ("public import JSON", "JSON"), ("internal import DBus", "DBus"),
            ("@testable import BridgeCore", "BridgeCore"), ("@preconcurrency public import YAML", "YAML"),
            ("@_spi(Testing) import MQTT", "MQTT"), ("import struct Foundation.Date", "Foundation"),
            ("import func Glibc.sin", "Glibc.sin"),
            ("    import FoundationEssentials // why", "FoundationEssentials"), ("package import A.B", "A"),
            ("// import Glibc", nil), ("/// Says what to import Foundation for.", nil), ("importer()", nil),
        ])
    func scanner(_ line: String, _ module: String?) {
        #expect(SourceFile.importedModule(line) == module)
    }
}
