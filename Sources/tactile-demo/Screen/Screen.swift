/// The picture of a scene for a terminal of a given size.
package struct Screen: Hashable, Sendable {
    package let canvas: Canvas
    /// The position of the cursor, if there is input.
    package private(set) var cursor: (row: Int, column: Int)? {
        get { place.map { ($0.row, $0.column) } }
        set { place = newValue.map { Place(row: $0.row, column: $0.column) } }
    }
    private var place: Place?

    private struct Place: Hashable, Sendable {
        var row: Int
        var column: Int
    }

    /// The size below which each device is shown in one line.
    static let smallest = (width: 60, height: 20)

    package init(_ scene: Scene, width: Int, height: Int) {
        var layout = Layout(scene, Canvas(width: width, height: height))
        layout.draw()
        canvas = layout.canvas
        cursor = layout.cursor
    }
}

/// The screen while it is filled from the top and from the bottom.
private struct Layout {
    let scene: Scene
    var canvas: Canvas
    var cursor: (row: Int, column: Int)?
    /// The first free row, and the row after the last free row.
    private var top = 0
    private var bottom: Int

    init(_ scene: Scene, _ canvas: Canvas) {
        self.scene = scene
        self.canvas = canvas
        bottom = canvas.height
    }

    private var isLarge: Bool {
        canvas.width >= Screen.smallest.width && canvas.height >= Screen.smallest.height
    }

    mutating func draw() {
        drawTitle()
        if isLarge { drawPictures() } else { drawStates() }
        drawPrompt()
        drawHints()
        drawEvents()
    }

    private mutating func drawTitle() {
        let name = "Tactile Bridge, demonstration"
        canvas.put(name, row: 0, column: 1, .bold)
        let rest = scene.broker.isEmpty ? "" : "broker \(scene.broker)"
        let state = "bridge \(scene.bridge)"
        let end = canvas.width - state.columns - 1
        if end > name.columns + 2 {
            canvas.put(state, row: 0, column: end, scene.bridge == "online" ? .good : .bad)
        }
        let room = end - name.columns - 7
        // The link is omitted if it does not fit, because a cut link would be invalid.
        let link = scene.link.map { "console \($0)" } ?? ""
        let words = link.isEmpty || link.columns > room ? rest : link
        if room > 12 { canvas.put(words.cut(to: room), row: 0, column: name.columns + 4, .quiet) }
        top = 1
    }

    private mutating func drawPictures() {
        let height = canvas.height >= 34 && canvas.width >= 110 ? 17 : 11
        canvas.draw(scene.belt, row: top, column: 0, height: height)
        let hand = Canvas.ringWidth(height: height) + 1
        canvas.draw(scene.tap, row: top, column: hand, height: height, now: scene.now)
        let floor = hand + Canvas.handWidth + 1
        let room = canvas.width - floor
        let hasFloor = room >= 20
        if hasFloor { canvas.draw(scene.robot, row: top, column: floor, width: room, height: height) }
        top += height
        var words = scene.others.map(\.line)
        if !hasFloor { words.insert(scene.robot.line, at: 0) }
        guard !words.isEmpty else { return }
        let line = words.joined(separator: " · ").cut(to: canvas.width - 2)
        canvas.put(line, row: top, column: 1, .quiet)
        top += 1
    }

    private mutating func drawStates() {
        let lines = [scene.belt.line, scene.tap.line, scene.robot.line]
        for line in lines.prefix(max(canvas.height / 3, 1)) where top < bottom - 2 {
            canvas.put(line.cut(to: canvas.width), row: top, column: 0)
            top += 1
        }
    }

    private mutating func drawPrompt() {
        guard let typed = scene.typed, bottom > top else { return }
        bottom -= 1
        canvas.put(">", row: bottom, column: 0, .bold)
        // The text to the left of the cursor stays visible.
        let room = canvas.width - 3
        var start = typed.cursor
        var used = 0
        while start > 0, used + typed.text[start - 1].columns <= room {
            start -= 1
            used += typed.text[start].columns
        }
        canvas.put(String(typed.text[start...]), row: bottom, column: 2)
        cursor = (bottom, 2 + used)
    }

    private mutating func rule(_ title: String, _ right: String, row: Int) {
        let line = "── \(title) "
        let filled = max(0, canvas.width - line.columns - (right.isEmpty ? 0 : right.columns + 3))
        canvas.put(line + String(repeating: "─", count: filled), row: row, column: 0, .quiet)
        guard !right.isEmpty else { return }
        canvas.put(" \(right) ─", row: row, column: canvas.width - right.columns - 3, .quiet)
    }

    private mutating func drawHints() {
        let pages = scene.hints.pages
        let free = bottom - top
        guard !pages.isEmpty, free >= 8 || (free >= 5 && !isLarge) else { return }
        let all = pages.reduce(0) { $0 + $1.lines.count + 1 }
        let isWhole = all + 6 <= free
        let shown = isWhole ? pages : [pages[scene.page % pages.count]]
        // All pages have the same height, so that turning a page moves nothing.
        let room = isWhole ? all : 1 + min(pages.map(\.lines.count).max() ?? 0, free / 2 - 1)
        var row = bottom - room
        bottom = row
        for (index, page) in shown.enumerated() {
            let turn =
                isWhole
                ? (index == 0 ? "Ctrl-C: end" : "")
                : "Enter: more (\(scene.page % pages.count + 1)/\(pages.count)) · Ctrl-C: end"
            rule(page.title, turn, row: row)
            row += 1
            for line in page.lines.prefix(isWhole ? page.lines.count : room - 1) {
                canvas.put(line.cut(to: canvas.width - 1), row: row, column: 1)
                row += 1
            }
        }
    }

    /// The newest events, the last at the bottom; errors are shown in full.
    private mutating func drawEvents() {
        guard bottom - top > 1 else { return }
        rule("what happens", "", row: top)
        top += 1
        var row = bottom
        for event in scene.events.reversed() where !event.isPictured {
            let clock = canvas.width >= 60 ? "\(event.clock) " : ""
            let subject = "\(event.subject) "
            let indent = clock.columns + subject.columns
            let room = canvas.width - indent
            let whole = event.style == .bad && room > 20 ? event.words.lines(of: room) : [event.words]
            // The first row of an error stays visible.
            var fitting = Array(whole.prefix(max(1, min(row - top, bottom - top - 1))))
            if fitting.count < whole.count { fitting[fitting.count - 1] += " …" }
            fitting = fitting.map { $0.cut(to: max(room, 0)) }
            guard row - fitting.count >= top else { break }
            row -= fitting.count
            canvas.put(clock, row: row, column: 0, .quiet)
            canvas.put(subject.cut(to: canvas.width - clock.columns), row: row, column: clock.columns, .plain)
            for (offset, line) in fitting.enumerated() {
                canvas.put(line, row: row + offset, column: indent, event.style)
            }
            if row == top { break }
        }
    }
}

extension Other {
    var line: String {
        "\(name): \(isConnected ? "linked" : "no link")\(written.isEmpty ? "" : ", \(written)")"
    }
}
