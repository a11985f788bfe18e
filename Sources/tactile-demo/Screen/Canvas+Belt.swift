import Glibc

extension Canvas {
    /// Returns the width of a ring in columns, for a height in rows.
    static func ringWidth(height: Int) -> Int { (height / 2) * 3 + (height / 2) * 3 + 5 }

    /// Draws a belt from above, from the wearer's view: the front is at the top, motor 4 on the right.
    mutating func draw(_ belt: Belt, row: Int, column: Int, height: Int) {
        let radius = Double(height / 2)
        let (middleRow, middle) = (row + height / 2, column + Self.ringWidth(height: height) / 2)
        func place(_ degrees: Double, _ share: Double) -> (row: Int, column: Int) {
            let angle = degrees * .pi / 180
            return (
                middleRow - Int((cos(angle) * radius * share).rounded()),
                middle + Int((sin(angle) * radius * 3 * share).rounded())
            )
        }
        for motor in 0..<Belt.motorCount {
            let strength = belt.motors[motor] ?? 0
            let spot = place(Double(motor) * 360 / Double(Belt.motorCount), 1)
            let label = strength > 0 ? "[\(motor)]" : "\(motor)"
            put(label, row: spot.row, around: spot.column, Style(strength: strength))
        }
        let north = place(Double(-belt.heading), 0.74)
        put("N", row: north.row, around: north.column, .bold)
        let words = [
            ("belt", belt.isConnected ? Style.good : .bad),
            (belt.isConnected ? belt.mode : "no link", .plain),
            ("heading \(belt.heading)° \(Self.compassPoint(belt.heading))", .plain),
            (belt.battery.isEmpty ? "" : "battery \(belt.battery)", .quiet),
            (belt.strength, .plain),
        ]
        for (index, entry) in words.enumerated() {
            put(entry.0.cut(to: 16), row: middleRow - 2 + index, around: middle, entry.1)
        }
    }

    private static func compassPoint(_ heading: Int) -> String {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][eighth(heading)]
    }

    /// Returns the nearest of eight directions, 0 to 7, clockwise from the top.
    static func eighth(_ degrees: Int) -> Int { (((degrees % 360) + 360 + 22) / 45) % 8 }
}

extension Belt {
    /// The strength of the vibration, in words that fit into the ring.
    var strength: String {
        let strengths = motors.values.filter { $0 > 0 }
        guard let weakest = strengths.min(), let strongest = strengths.max() else { return "at rest" }
        return weakest == strongest ? "vibrates \(strongest) %" : "\(weakest) to \(strongest) %"
    }

    /// The state of the belt that the ring shows, in one line.
    var line: String {
        "belt: \(isConnected ? mode : "no link"), heading \(heading)°, "
            + "\(battery.isEmpty ? "" : "battery \(battery), ")\(feeling)"
    }
}
