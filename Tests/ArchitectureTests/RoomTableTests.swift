import Foundation
import Testing

@Suite("The table of modules in docs/architecture")
struct RoomTableTests {
    /// The rows between the marks: a module's name, and what it may import.
    private static func rows() throws -> [String: Set<String>] {
        let page = SourceFile.root.appending(path: "docs/architecture/README.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let begin = try #require(lines.firstIndex(of: "<!-- rooms: begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- rooms: end -->"))
        var rows: [String: Set<String>] = [:]
        for line in lines[begin..<end] where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 3 && !cells[1].isEmpty, "\(line)")
            let imports = cells[2].matches(of: /`([^`]+)`/).map { String($0.1) }
            rows[cells[0].trimmingCharacters(in: ["`"])] = Set(imports)
        }
        return rows
    }

    @Test("It has each module of the product, with what it may import, and no other")
    func table() throws {
        let rows = try Self.rows()
        let product = Room.all.filter { !$0.mayImport.contains("Testing") }
        for room in product {
            let cell = room.mayImport.sorted().map { "`\($0)`" }.joined(separator: ", ")
            #expect(
                rows[room.name] == room.mayImport,
                "the row of \(room.name) shall end with: | \(cell.isEmpty ? "nothing" : cell) |")
        }
        #expect(Set(rows.keys).subtracting(product.map(\.name)).isEmpty)
    }
}
