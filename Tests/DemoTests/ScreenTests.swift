import Testing

@testable import tactile_demo

@Suite("The screen of the demonstration")
struct ScreenTests {
    private func lines(_ scene: Scene, _ width: Int, _ height: Int) -> [String] {
        Screen(scene, width: width, height: height).canvas.lines
    }

    @Test("A screen of 80 x 24 shows the ring, the fingers, the floor, events, hints and the input line")
    func usual() {
        let expected = """
             Tactile Bridge, demonstration   broker localhost:1884            bridge online
                      15     0     1                     tap                  robot
                 14                     2                             ·    ·    ·    ·    ·
                                                        ╭─╮
              13           belt            3        ╭─╮ │█│ ╭─╮       ·    ·    ·    ·    ·
                            app                     │ │ │█│ │ │ ╭─╮             ↑
             12   N    heading 90° E       [4]  ╭─╮ │ │ │█│ │ │ │ │   ·    ·    ·    ·    ·
                      battery 89.5 %            │█│ │ │ │█│ │ │ │ │
              11       vibrates 50 %       5    │█│ │ │ │█│ │ │ │ │   ·    ·    ·    ·    ·
                                                [1]  2  [3]  4   5
                 10                     6           battery 87 %        no power, at rest
                       9     8     7                thumb+middle        x 0.0 m, y 0.0 m
             bracelet: no link
            ── what happens ────────────────────────────────────────────────────────────────


            08:00:05 belt/button home, short
            08:00:05 belt/vibrate/set 90
            08:00:05 belt/result vibrate ok
            08:00:05 tap/00be02/tapped thumb+middle, 2 times
            ── type here: an event, or a message ───────── Enter: more (1/2) · Ctrl-C: end ─
             belt press home · belt turn 90
             belt/vibrate/set 90
            > belt turn
            """
        #expect(lines(Sample.scene, 80, 24).joined(separator: "\n") == expected)
    }

    @Test("The title contains the console's link if the whole link fits")
    func link() {
        var scene = Sample.scene
        scene.link = "http://127.0.0.1:9480/#token=" + String(repeating: "x", count: 43)
        #expect(lines(scene, 130, 24)[0].contains("console \(scene.link ?? "") "))
        #expect(lines(scene, 80, 24)[0].contains("broker localhost:1884 "))
    }

    @Test("A larger terminal shows a larger ring, and every page of the hints")
    func large() {
        let lines = lines(Sample.scene, 120, 40)
        #expect(lines.count == 40)
        #expect(lines[9].hasPrefix(" 12"))
        #expect(lines[9].contains("heading 90° E"))
        #expect(lines[9].contains("[4]"))
        #expect(lines.contains { $0.contains("── type here: an event, or a message ──") })
        #expect(lines.contains { $0.contains("── in a second terminal: any message ──") })
        #expect(lines.last == "> belt turn")
    }

    @Test(
        "At any size nothing exceeds the terminal, and the input is visible",
        arguments: [1, 2, 10, 20, 40, 59, 60, 79, 80, 81, 120, 300], [1, 2, 5, 8, 15, 19, 20, 24, 25, 34, 60])
    func sizes(width: Int, height: Int) throws {
        var scene = Sample.scene
        scene.typed = (Array(String(repeating: "x", count: 400) + "日本"), 402)
        let screen = Screen(scene, width: width, height: height)
        #expect(screen.canvas.lines.count == height)
        #expect(screen.canvas.lines.allSatisfy { $0.columns <= width })
        guard width > 8, height > 2 else { return }
        #expect(screen.canvas.lines.last?.hasSuffix("x日本") == true)
        let cursor = try #require(screen.cursor)
        #expect(cursor.row == height - 1 && cursor.column < width)
    }

    @Test("Colors are used only if they are enabled, and change no character")
    func colours() {
        let canvas = Screen(Sample.scene, width: 80, height: 24).canvas
        #expect(canvas.terminalLines(isColoured: false) == canvas.lines)
        let coloured = canvas.terminalLines(isColoured: true)
        #expect(coloured.contains { $0.contains("\u{1B}[1;30;48;5;208m[4]\u{1B}[0m") })
        let plain = coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        #expect(plain.map { String($0.reversed().drop { $0 == " " }.reversed()) } == canvas.lines)
    }

    @Test(
        "A character has the width that a terminal gives it",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("日", 2), ("한", 2), ("Ａ", 2), ("🙂", 2), ("❤️", 2), ("│", 1),
            ("°", 1), ("\u{301}", 0),
        ])
    func columns(text: String, columns: Int) { #expect(text.columns == columns) }

    @Test("A wide character is complete or omitted: at the edge, and if one half of it is overwritten")
    func wide() {
        var canvas = Canvas(width: 6, height: 1)
        canvas.put("a日本b", row: 0, column: 0)
        #expect(canvas.lines == ["a日本b"])
        canvas.put("x", row: 0, column: 2)
        #expect(canvas.lines == ["a x本b"])
        canvas.put("日", row: 0, column: 5)
        canvas.put("日", row: 0, column: -1)
        #expect(canvas.lines == ["a x本b"])
        #expect("日本語".cut(to: 5) == "日本…")
        #expect("日本語".cut(to: 4) == "日…")
        #expect("ab cd".lines(of: 3) == ["ab", "cd"])
        #expect("日本語".lines(of: 4) == ["日本", "語"])
    }

    @Test("An error uses several lines, and the line that it answers stays visible")
    func mistake() {
        var scene = Sample.scene
        #expect(scene.type("belt prss", at: Sample.moment(6)) == .act("belt prss"))
        let words = String(repeating: "press power or home, ", count: 40)
        scene.take(#"{"event":"error","message":"not understood; \#(words)"}"#, at: Sample.moment(6))
        let lines = lines(scene, 80, 24)
        let start = lines.firstIndex { $0.contains("> belt prss") }
        #expect(start.map { lines[$0 + 1].contains("? not understood; press") } == true)
        #expect(lines.contains { $0.hasSuffix("…") })
        #expect(lines.last == "> belt turn")
    }

    @Test(
        "A robot that drives far stays on the floor, with its trail",
        arguments: [-90_000, 700, 90_000])
    func floor(distance: Int) {
        var scene = Sample.scene
        for step in 1...20 {
            let (x, y) = (distance * step / 20, -distance * step / 20)
            scene.take(
                #"{"device":"robot","event":"pose","x_mm":\#(x),"y_mm":\#(y),"heading":90}"#,
                at: Sample.moment(6))
        }
        #expect(lines(scene, 80, 24)[1...11].contains { $0.contains("→") })
        #expect(scene.robot.trail.count == 20)
    }
}
