import Testing
import YAML

@Suite("YAML")
struct YAMLTreeTests {
    @Test(
        "A text is parsed to values with their locations",
        arguments: [
            ("", "1:1 ~"), ("# nothing\n", "1:1 ~"), ("~", "1:1 ~"), ("\u{FEFF}a", "1:2 a"), ("5", "1:1 5"),
            ("'~'", "1:1 '~'"), ("\"\\u263A\\n\"", "1:1 '☺\n'"),
            ("|\n  two\n  lines\n", "1:1 'two\nlines\n'"),
            ("- a\n- [b, c]\n-\n", "1:1 [1:3 a, 2:3 [2:4 b, 2:7 c], 3:2 ~]"),
            (
                "mqtt:\n  host: x\n  port: 1883 # usual\n",
                "1:1 {1:1 mqtt=2:3 {2:3 host=2:9 x, 3:3 port=3:9 1883}}"
            ),
            ("{a: 1, b: {c: yes}}", "1:1 {1:2 a=1:5 1, 1:8 b=1:11 {1:12 c=1:15 yes}}"),
            // An alias has the value and the location of its anchor.
            ("a: &x [1]\nb: *x\n", "1:1 {1:1 a=1:4 [1:8 1], 2:1 b=1:4 [1:8 1]}"),
            // A tag that equals the value's default tag, and a tag that declares a plain word as a text.
            ("!!str 5", "1:1 '5'"), ("! ~", "1:1 '~'"), ("!!map {a: !!seq [1]}", "1:1 {1:8 a=1:11 [1:18 1]}"),
            // A merge key is an ordinary key.
            ("<<: x", "1:1 {1:1 <<=1:5 x}"),
            ("---\na\n...\n", "2:1 a"),
        ])
    func reads(_ text: String, _ tree: String) throws(YAMLTree.Failure) {
        #expect(try YAMLTree(text).written == tree)
    }

    private static let tab =
        "not valid YAML: a tab in the indentation; tabs are not allowed there, spaces are"
    private static let tag =
        "found a tag; the bridge does not support tags. Allowed: the value itself, in quotes if it starts with !"
    private static let known = tag.replacing("a tag", with: "the tag !secret")
    private static let token = "found character that cannot start any token"

    @Test(
        "Invalid YAML and texts beyond the limits are rejected with their location",
        arguments: [
            (
                "a: [1",
                "2:1 not valid YAML: while parsing a flow sequence (line 1), did not find expected ',' or ']'"
            ),
            ("a: b: c", "1:5 not valid YAML: mapping values are not allowed in this context"),
            ("bridge:\n\tid: x", "2:1 \(tab)"), ("bridge:\n  id: x\n\tport: 1", "3:1 \(tab)"),
            ("bridge:\n  id: x\n  \tport: 1", "3:3 \(tab)"), ("- |\n \n\tx", "3:1 \(tab)"),
            // In other positions, a tab is equivalent to a space, and a different error is reported.
            ("a: @\t", "1:4 not valid YAML: while scanning for the next token (line 1), \(token)"),
            ("{\n\ta: @}", "2:5 not valid YAML: while scanning for the next token (line 2), \(token)"),
            ("a: *b", "1:4 not valid YAML: found undefined alias"),
            ("a: \u{1}", "1:1 not valid YAML: control characters are not allowed"),
            ("a: 1\nb: 2\na: 3", "3:1 the key a appears more than once; allowed: each key once"),
            ("? [a]\n: 1", "1:3 a list or a mapping as a key; allowed: a word"),
            ("a\n---\nb\n", "3:1 not valid YAML here: a second document; allowed: one"),
            ("a: &x [*x]", "1:8 nested deeper than 100 levels"),
            ("a: &x 1\nb: &x 2", "2:4 not valid YAML: found duplicate anchor"),
            ("host: !secret mqtt_host", "1:7 host: \(known)"),
            ("a:\n  - b: !secret c", "2:8 a.b: \(known)"),
            ("a: !!int 5", "1:4 a: \(tag)"), ("a: !<x> {b: 1}", "1:4 a: \(tag)"), ("!key a: 1", "1:1 \(tag)"),
            ("a: !!seq 5", "1:4 a: \(tag)"), ("password: !hunter2", "1:11 password: \(tag)"),
            (
                String(repeating: "[", count: 101) + String(repeating: "]", count: 101),
                "1:101 nested deeper than 100 levels"
            ),
            ("[" + String(repeating: "1,", count: 100_000) + "]", "1:200000 more than 100000 values"),
        ])
    func refuses(_ text: String, _ message: String) {
        let failure = #expect(throws: YAMLTree.Failure.self) { try YAMLTree(text) }
        #expect(failure.map { "\($0.place) \($0.message)" } == message)
    }

    @Test(
        "A text of nested brackets is rejected at the depth limit within a hundredth of a second",
        arguments: ["[", "{", "- ", "? ", "[{a: ", "- - a: "])
    func nesting(_ opening: String) {
        let text = String(repeating: opening, count: 100_000)
        let time = ContinuousClock().measure {
            #expect(throws: YAMLTree.Failure.self) { try YAMLTree(text) }
        }
        #expect(time < .seconds(1))
    }

    @Test("A text of nested aliases is rejected before it fills the memory")
    func explosion() {
        let text =
            "a0: &a0 [x, x]\n"
            + (1...60).map { "a\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]\n" }.joined()
        let failure = #expect(throws: YAMLTree.Failure.self) { try YAMLTree(text) }
        #expect(failure?.message == "more than 100000 values")
    }
}

extension YAMLTree {
    /// The whole tree as one line, with its locations.
    fileprivate var written: String {
        switch content {
        case .scalar(let text, let isPlain): "\(place) \(isNull ? "~" : isPlain ? text : "'\(text)'")"
        case .sequence(let elements): "\(place) [\(elements.map(\.written).joined(separator: ", "))]"
        case .mapping(let members):
            "\(place) {\(members.map { "\($0.place) \($0.key)=\($0.value.written)" }.joined(separator: ", "))}"
        }
    }
}
