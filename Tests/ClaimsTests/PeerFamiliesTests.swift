import Claims
import Testing

@Suite("The families that other bridges know")
struct PeerFamiliesTests {
    @Test("Of ten thousand bridges some are remembered, and of a thousand families of one")
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
