import Testing

@Suite("The folders of the families")
struct FamilyFolderTests {
    @Test("Each folder contains one family, which the list of families names", arguments: FamilyFolder.all)
    func listed(_ folder: FamilyFolder) throws {
        #expect(folder.families.count == 1, "\(folder) has \(folder.families)")
        let list = try #require(
            try SourceFile.all(in: "Sources/Devices").first { $0.path.hasSuffix("/Registry.swift") })
        for family in folder.families {
            #expect(list.text.contains("        \(family)(),\n"), "add \(family)() to \(list.path)")
        }
    }

    @Test("Next to the folders is the list, which has a folder for each of its families")
    func list() throws {
        let all = try SourceFile.all(in: "Sources/Devices")
        let beside = all.filter { $0.path.split(separator: "/").count == 3 }
        #expect(beside.map(\.path) == ["Sources/Devices/Registry.swift"])
        let named = beside.flatMap(\.lines).compactMap { $0.wholeMatch(of: #/ +(\w+Family)\(\),/#)?.1 }
        #expect(Set(named.map(String.init)) == Set(FamilyFolder.all.flatMap(\.families)) && !named.isEmpty)
    }

    @Test(
        "The names of a family's types contain the family's name, so that no two families share a name",
        arguments: FamilyFolder.all)
    func names(_ folder: FamilyFolder) throws {
        let word = try #require(folder.families.first).dropLast("Family".count)
        for type in folder.types {
            #expect(type.hasPrefix(word), "\(folder): \(word)\(type) instead of \(type)")
        }
    }

    @Test("A family does not refer to another family", arguments: FamilyFolder.all)
    func independence(_ folder: FamilyFolder) {
        for other in FamilyFolder.all where other.name != folder.name {
            #expect(folder.words.isDisjoint(with: other.types), "\(folder) names types of \(other)")
        }
    }

    @Test("A family imports only modules without side effects", arguments: FamilyFolder.all)
    func purity(_ folder: FamilyFolder) {
        for file in folder.files {
            for (line, module) in file.imports where !Room.families.contains(module) {
                Issue.record("\(file.path):\(line): a family must not import \(module)")
            }
            #expect(
                !file.text.contains("async") || !file.text.contains(#/\b(async|await)\b/#), "\(file.path)")
        }
    }
}
