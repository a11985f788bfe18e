import Claims
import Testing

@Suite("Families of other bridges")
struct PeerFamiliesTests {
    @Test("The number of bridges, and of families per bridge, is limited")
    func bounded() {
        var families = PeerFamilies()
        for number in 0..<2_000 {
            _ = families.heard(Array(#"[{"name":"a\#(number)"}]"#.utf8), of: "bridge\(number)")
        }
        #expect(families.roots.count <= 1_024)
        families = PeerFamilies()
        let list = (0..<2_000).map { #"{"name":"a\#($0)"}"# }.joined(separator: ",")
        _ = families.heard(Array("[\(list)]".utf8), of: "hall")
        #expect(!families.roots.isEmpty && families.roots.count <= 1_000)
        _ = families.heard(Array(#"[{"name":"a1"}]"#.utf8), of: "cellar")
        _ = families.heard([], of: "hall")
        #expect(families.roots == ["a1": "cellar"])
    }
}
