/// A recorded session as an SVG animation. The same recording always gives the same animation.
package struct Film: Hashable, Sendable {
    struct Frame: Hashable, Sendable {
        /// The time since the start in milliseconds.
        var at: Int
        var canvas: Canvas
    }

    private(set) var frames: [Frame] = []
    /// The duration of the film in milliseconds.
    private(set) var length = 0

    /// The minimum duration of a frame, in milliseconds.
    private static let step = 250
    /// The duration for which the typing of a line is shown, in milliseconds.
    private static let typing = 1500

    private static let cell = (width: 8.4, height: 18.0)
    private static let margin = 10.0

    /// Plays a recording on a simulated screen, and stores the frames.
    package init(_ recording: Recording, hints: Hints, broker: String, width: Int, height: Int) {
        var scene = Scene()
        scene.hints = hints
        scene.broker = broker
        let first = recording.entries.first?.at ?? 0
        let last = recording.entries.last?.at ?? 0
        length = last - first + 3 * Self.typing
        var entries = recording.entries[...]
        for time in stride(from: 0, to: length, by: Self.step) {
            scene.now = .milliseconds(time)
            while let entry = entries.first, entry.at - first <= time {
                entries.removeFirst()
                let moment = Scene.Moment(
                    elapsed: .milliseconds(entry.at - first), clock: Self.clock(entry.at - first))
                switch entry.content {
                case .heard(let line): scene.take(line, at: moment)
                case .typed(let line): _ = scene.type(line, at: moment)
                }
            }
            scene.now = .milliseconds(time)
            scene.typed = Self.typed(at: time + first, entries)
            let canvas = Screen(scene, width: width, height: height).canvas
            if frames.last?.canvas != canvas { frames.append(Frame(at: time, canvas: canvas)) }
        }
    }

    /// Returns the content of the input line at a time: the part of the next line that is typed by then.
    private static func typed(at time: Int, _ rest: ArraySlice<Recording.Entry>) -> (
        text: [Character], cursor: Int
    ) {
        for entry in rest where entry.at - time <= typing {
            guard case .typed(let line) = entry.content else { continue }
            let share = Double(typing - (entry.at - time)) / (Double(typing) * 0.7)
            let text = Array(line.prefix(Int(Double(line.count) * min(share, 1))))
            return (text, text.count)
        }
        return ([], 0)
    }

    private static func clock(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000 + 8 * 3600
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    /// A part of the screen, and the frames that contain it.
    private struct Piece {
        var row: Int
        var run: Canvas.Run
        var frames: [Int] = []
    }

    /// Returns the animation. Where animations are disabled, the picture shows the frame in which the most motors
    /// vibrate.
    package func svg(title: String) -> String {
        guard let first = frames.first else { return "" }
        let width = Double(first.canvas.width) * Self.cell.width + 2 * Self.margin
        let height = Double(first.canvas.height) * Self.cell.height + 2 * Self.margin
        let size = "\(Self.number(width)) \(Self.number(height))"
        let still =
            frames.indices.max { frames[$0].canvas.strongCells < frames[$1].canvas.strongCells } ?? 0
        var times: [[Int]: Int] = [:]
        var drawn: [String] = []
        for piece in pieces {
            var attributes = ""
            if piece.frames.count < frames.count {
                let known = times[piece.frames] ?? times.count
                times[piece.frames] = known
                attributes = " class=\"a t\(known)\(piece.frames.contains(still) ? " s" : "")\""
            }
            drawn.append(Self.drawing(of: piece.run, row: piece.row, attributes))
        }
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size)\" role=\"img\">",
            "<title>\(Self.escaped(title))</title>",
        ]
        lines += style(times.sorted { $0.value < $1.value }.map(\.key))
        lines.append(
            "<rect width=\"\(Self.number(width))\" height=\"\(Self.number(height))\" rx=\"8\" fill=\"#1f2430\"/>"
        )
        return (lines + drawn + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    /// All parts of the screen's content, in the order of their first frames.
    private var pieces: [Piece] {
        struct Key: Hashable {
            var row: Int
            var run: Canvas.Run
        }
        var known: [Key: Int] = [:]
        var pieces: [Piece] = []
        for (index, frame) in frames.enumerated() {
            for row in 0..<frame.canvas.height {
                for run in frame.canvas.runs(of: row).flatMap(\.words) {
                    let key = Key(row: row, run: run)
                    if known[key] == nil {
                        known[key] = pieces.count
                        pieces.append(Piece(row: row, run: run))
                    }
                    if let place = known[key] { pieces[place].frames.append(index) }
                }
            }
        }
        return pieces
    }

    /// Returns the style sheet: the colors, and the times at which each part is visible.
    private func style(_ times: [[Int]]) -> [String] {
        var lines = [
            "<style>",
            "text{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}",
        ]
        for style in Style.allCases {
            let weight = style == .bold || style.colours.ground != nil ? ";font-weight:bold" : ""
            lines.append(".\(style){fill:\(style.colours.ink)\(weight)}")
        }
        lines += [
            ".a{visibility:hidden}.s{visibility:visible}", "@media (prefers-reduced-motion:no-preference){",
            ".a{animation:\(Self.number(Double(length) / 1000))s step-end infinite}",
        ]
        for (index, frames) in times.enumerated() {
            lines.append(".t\(index){animation-name:k\(index)}@keyframes k\(index){\(keyframes(frames))}")
        }
        return lines + ["}", "</style>"]
    }

    /// Returns the keyframes of a part that is visible in some frames.
    private func keyframes(_ shown: [Int]) -> String {
        let shown = Set(shown)
        var text = ""
        for index in frames.indices {
            let isThere = shown.contains(index)
            guard index == 0 || isThere != shown.contains(index - 1) else { continue }
            let share = Self.number(Double(frames[index].at) / Double(length) * 100)
            text += "\(share)%{visibility:\(isThere ? "visible" : "hidden")}"
        }
        return text
    }

    private static func drawing(of run: Canvas.Run, row: Int, _ attributes: String) -> String {
        let x = margin + Double(run.column) * cell.width
        let y = margin + Double(row) * cell.height
        let width = number(Double(run.text.columns) * cell.width)
        // The explicit text length aligns the text with the grid in any font.
        let text =
            "<text class=\"\(run.style)\" x=\"\(number(x))\" y=\"\(number(y + 14))\" textLength=\"\(width)\">"
            + "\(escaped(run.text))</text>"
        let ground = run.style.colours.ground.map {
            "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(width)\" height=\"\(number(cell.height))\" fill=\"\($0)\"/>"
        }
        return "<g\(attributes)>\(ground ?? "")\(text)</g>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Returns a number with at most two decimals, without trailing zeros.
    static func number(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        if rest == 0 { return "\(hundredths / 100)" }
        return "\(hundredths / 100)." + (rest % 10 == 0 ? "\(rest / 10)" : rest < 10 ? "0\(rest)" : "\(rest)")
    }
}

extension Canvas.Run {
    /// The parts of the run that are separated by two or more blanks, without the blanks.
    fileprivate var words: [Canvas.Run] {
        guard style.colours.ground == nil else { return [self] }
        var words: [Canvas.Run] = []
        var place = column
        var blanks = 2
        for character in text {
            if character == " " {
                blanks += 1
            } else if blanks > 1 {
                words.append(Canvas.Run(column: place, text: String(character), style: style))
                blanks = 0
            } else {
                words[words.count - 1].text += (blanks == 1 ? " " : "") + String(character)
                blanks = 0
            }
            place += character.columns
        }
        return words
    }
}

extension Canvas {
    /// The number of cells that show a running motor or a tapping finger.
    fileprivate var strongCells: Int {
        rows.reduce(0) { sum, row in sum + row.count { $0.style.colours.ground != nil } }
    }
}
