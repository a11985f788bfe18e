import Testing

@Suite("The guide to a new family")
struct FamilyGuideTests {
    private static let folder = "Tests/DeviceCatalogTests/Lamp"

    @Test(
        "The code of the guide equals the code that the tests compile",
        arguments: zip(0..<3, ["LampFamily", "LampMachine", "LampTests"]))
    func code(index: Int, name: String) throws {
        let page = try #require(Repository.page("docs/guides/add-a-family.md"))
        let blocks = page.blocks.filter { $0.language == "swift" }
        try #require(blocks.count == 3)
        let text = try #require(Repository.text("\(Self.folder)/\(name).swift"))
        #expect(blocks[index].lines.joined(separator: "\n") + "\n" == text)
    }

    @Test("The guide names each part of the kit")
    func kit() throws {
        let page = try #require(Repository.page("docs/guides/add-a-family.md"))
        let parts = page.prose.filter { $0.text.hasPrefix("| `") }.map(\.text).joined()
        for part in [
            "Handshake", "WriteLedger", "ReadLedger", "Confirmation", "WritePacer", "LatestCommand",
            "WaitingLine",
            "Lease", "KeepAlive", "ClosingWords", "HapticPlayer",
        ] {
            #expect(parts.contains("`\(part)`"), "\(part)")
            #expect(Repository.sourceNames.contains("\(part).swift"), "\(part)")
        }
    }
}
