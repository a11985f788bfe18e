extension Canvas {
    static let handWidth = 20

    /// Draws the fingers of a right hand; fingers that tapped are filled.
    mutating func draw(_ tap: Tap, row: Int, column: Int, height: Int, now: Duration) {
        // `reaches` contains the length of each finger, in rows from the palm.
        let reaches = [2, 4, 5, 4, 3].map { height > 12 ? $0 * 2 : $0 }
        let top = row + 2
        let palm = top + (reaches.max() ?? 0)
        let isLit = now < tap.litUntil
        put("tap", row: row, around: column + Self.handWidth / 2, tap.isConnected ? .good : .bad)
        for (index, name) in Tap.fingers.enumerated() {
            let isDown = isLit && tap.tapped.contains(name)
            let style: Style = isDown ? .strong : .quiet
            let left = column + index * 4
            put("╭─╮", row: palm - reaches[index], column: left, style)
            for line in (palm - reaches[index] + 1)...palm {
                put(isDown ? "│█│" : "│ │", row: line, column: left, style)
            }
            put(isDown ? "[\(index + 1)]" : " \(index + 1) ", row: palm + 1, column: left, style)
        }
        let state =
            !tap.isConnected
            ? "no link"
            : tap.isVibrating ? "[[ vibrates ]]" : tap.battery.isEmpty ? "" : "battery \(tap.battery)"
        let middle = column + Self.handWidth / 2
        put(state, row: palm + 2, around: middle, tap.isVibrating ? .strong : .quiet)
        put(tap.lastAction.cut(to: Self.handWidth), row: palm + 3, around: middle)
    }
}

extension Tap {
    /// The state of the TAP that the hand shows, in one line.
    var line: String {
        let words = [
            isConnected ? "" : "no link", battery.isEmpty ? "" : "battery \(battery)",
            isVibrating ? "vibrates" : "at rest", lastAction,
        ]
        return "tap: " + words.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}
