import Glibc

/// Draws a belt from above, from the wearer's view: the front is at the top, motor 4 on the right.
struct RingDrawing {
    let isColoured: Bool

    static let width = 46
    static let height = 19

    /// Returns the lines of the picture, each ``width`` columns wide.
    func lines(of wearer: Wearer) -> [String] {
        var rows = Array(repeating: Array(repeating: " ", count: Self.width), count: Self.height)
        func put(_ text: String, row: Int, middle: Int) {
            let start = middle - text.count / 2
            for (offset, letter) in text.enumerated() where (0..<Self.width).contains(start + offset) {
                rows[row][start + offset] = String(letter)
            }
        }
        for motor in 0..<16 {
            let angle = Double(motor) * .pi / 8
            let row = Int((9 - cos(angle) * 8).rounded())
            let middle = Int((22.5 + sin(angle) * 19).rounded())
            let strength = wearer.motors[motor] ?? 0
            put(strength > 0 ? "[\(motor)]" : "\(motor)", row: row, middle: middle)
            guard isColoured else { continue }
            let label = strength > 0 ? "[\(motor)]" : "\(motor)"
            let start = middle - label.count / 2
            rows[row][start] = Self.colour(strength) + rows[row][start]
            rows[row][start + label.count - 1] += "\u{1B}[0m"
        }
        put(wearer.name, row: 4, middle: 22)
        put(wearer.isConnected ? "connected" : "no connection", row: 5, middle: 22)
        put(wearer.isOpenForPairing ? "\(wearer.mode), open for pairing" : wearer.mode, row: 7, middle: 22)
        put("heading \(wearer.heading)° \(Self.compassPoint(wearer.heading))", row: 9, middle: 22)
        put("north is \(Self.arrow(-wearer.heading))", row: 10, middle: 22)
        put(wearer.battery.isEmpty ? "" : "battery \(wearer.battery)", row: 12, middle: 22)
        put(Self.feeling(wearer.motors), row: 14, middle: 22)
        return rows.map { $0.joined() }
    }

    /// Returns the strength of the motors as a text that fits inside the ring.
    private static func feeling(_ motors: [Int: Int]) -> String {
        let strengths = Set(motors.values).sorted()
        guard let weakest = strengths.first, let strongest = strengths.last else { return "at rest" }
        return weakest == strongest ? "vibrates, \(strongest) %" : "vibrates, \(weakest)-\(strongest) %"
    }

    private static func compassPoint(_ heading: Int) -> String {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][eighth(heading)]
    }

    private static func arrow(_ angle: Int) -> String {
        ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][eighth(angle)]
    }

    private static func eighth(_ angle: Int) -> Int { (((angle % 360) + 360 + 22) / 45) % 8 }

    /// Returns the color of a motor: gray at rest; yellow, orange and red with increasing strength.
    private static func colour(_ strength: Int) -> String {
        switch strength {
        case ...0: "\u{1B}[90m"
        case ..<34: "\u{1B}[1;33m"
        case ..<67: "\u{1B}[1;38;5;208m"
        default: "\u{1B}[1;31m"
        }
    }
}
