/// Draws a haptic pattern's intensity over time for a terminal: a column for each interval, a row for each tenth of the
/// intensity.
package struct PatternDrawing {
    /// The maximum width of the drawing in columns.
    package static let width = 72
    private static let height = 10
    private static let eighths = Array(" ▁▂▃▄▅▆▇█")

    /// Returns the intensity, 0 to 1, at a time since the start.
    package var intensity: (Duration) -> Double
    /// The duration of the drawing.
    package var length: Duration

    package init(intensity: @escaping (Duration) -> Double, length: Duration) {
        self.intensity = intensity
        self.length = length
    }

    /// The drawing as lines, with a time scale as the last line.
    package var lines: [String] {
        let column = max(Self.roundUp(length / Self.width), .milliseconds(10))
        let count = max(1, Int((length / column).rounded(.up)))
        let levels = (0..<count).map { mean(from: column * $0, to: column * ($0 + 1)) }
        var lines = (0..<Self.height).reversed().map { row in
            let label = row == Self.height - 1 ? "1.0" : row == 4 ? "0.5" : "   "
            let blocks = levels.map { level in
                let filled = Int((level * Double(Self.height) * 8).rounded()) - row * 8
                return String(Self.eighths[min(max(filled, 0), 8)])
            }
            return "\(label) │\(blocks.joined())"
        }
        lines.append("0.0 └" + String(repeating: "─", count: count))
        let end = Self.seconds(column * count)
        lines.append("     0 s" + String(repeating: " ", count: max(1, count - 3 - end.count)) + end)
        return lines
    }

    private func mean(from start: Duration, to end: Duration) -> Double {
        let step = Duration.milliseconds(2)
        var (sum, count) = (0.0, 0)
        var moment = start
        while moment < end {
            sum += intensity(moment)
            count += 1
            moment += step
        }
        return sum / Double(max(1, count))
    }

    /// Returns a round number for the duration that a column represents: 10, 20, 50, 100 … ms.
    private static func roundUp(_ width: Duration) -> Duration {
        var unit = Duration.milliseconds(10)
        while true {
            for factor in [1, 2, 5] where unit * factor >= width { return unit * factor }
            unit = unit * 10
        }
    }

    /// Returns a time as text: `1.25 s`.
    package static func seconds(_ time: Duration) -> String {
        let milliseconds = Int(time / .milliseconds(1))
        let rest = String(1000 + milliseconds % 1000).dropFirst()
        var digits = String(rest)
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(milliseconds / 1000)\(digits.isEmpty ? "" : ".\(digits)") s"
    }
}
