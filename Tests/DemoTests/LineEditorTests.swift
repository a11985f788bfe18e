import Testing

@testable import tactile_demo

@Suite("The input line of the demonstration")
struct LineEditorTests {
    @Test(
        "Keys edit a line like in a shell",
        arguments: [
            ("belt\r", "belt"), ("belt\n", "belt"), ("belx\u{7F}t\r", "belt"), ("belx\u{8}t\r", "belt"),
            ("elt\u{1}b\r", "belt"), ("bet\u{1B}[Dl\r", "belt"), ("bet\u{1B}OD\u{1B}[Dx\u{5}!\r", "bxet!"),
            ("xxx\u{15}belt\r", "belt"), ("tap five  \u{17}5\r", "tap 5"),
            ("bxelt\u{1}\u{1B}[C\u{1B}[3~\r", "belt"),
            ("belt\u{1}\u{1B}[C\u{1B}[C\u{B}\r", "be"), ("belt\u{1B}[1;5C\u{1B}[15~\r", "belt"),
            ("日本\u{7F}語\r", "日語"), ("e\u{301}\u{7F}x\r", "x"), ("\u{7F}\u{1B}[D\u{1B}[Aok\r", "ok"),
            ("a\tb\u{0}c\r", "abc"), ("bxelt\u{1}\u{1B}[C\u{4}\r", "belt"),
        ])
    func keys(typed: String, line: String) {
        var whole = LineEditor()
        #expect(whole.take(Array(typed.utf8)) == [.line(line)])
        // A terminal may send the bytes in any parts.
        var pieces = LineEditor()
        #expect(typed.utf8.flatMap { pieces.take([$0]) } == [.line(line)])
        #expect(pieces.text == [] && pieces.cursor == 0)
    }

    @Test("Pasted text results in single lines; the text after the last line break stays in the line")
    func paste() {
        var editor = LineEditor()
        #expect(editor.take(Array("one\ntwo\rthree".utf8)) == [.line("one"), .line("two")])
        #expect(editor.text == Array("three") && editor.cursor == 5)
    }

    @Test("The arrow keys recall former lines, and return to the current one")
    func history() {
        var editor = LineEditor()
        _ = editor.take(Array("one\rtwo\rtwo\r".utf8))
        _ = editor.take(Array("\u{1B}[A".utf8))
        #expect(editor.text == Array("two"))
        _ = editor.take(Array("\u{1B}[A\u{1B}[A".utf8))
        #expect(editor.text == Array("one"))
        _ = editor.take(Array("\u{1B}[B\u{1B}[B".utf8))
        #expect(editor.text == [])
    }

    @Test("The end of input applies only to an empty line; invalid bytes change nothing")
    func rest() {
        var editor = LineEditor()
        #expect(editor.take([0x04]) == [.end])
        #expect(editor.take([0x0C]) == [.redraw])
        #expect(editor.take([0xFF, 0xC3, 0x61, 0x80, 0xED, 0xA0, 0x80]) == [])
        #expect(editor.text == ["a"])
        #expect(editor.take([0x04]) == [])
        #expect(editor.text == ["a"])
    }

    @Test("A line without an end needs no more memory than a long line", arguments: [3, 300, 3000])
    func growth(count: Int) {
        var editor = LineEditor()
        _ = editor.take(Array(repeating: 0x61, count: count))
        #expect(editor.text.count == min(count, LineEditor.longest))
    }
}
