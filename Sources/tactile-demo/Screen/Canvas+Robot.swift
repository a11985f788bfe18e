extension Canvas {
    /// Draws the floor from above with the robot and its trail; the robot starts facing the top.
    ///
    /// A column is 0.2 m, a row 0.4 m. The floor scrolls when the robot would leave it.
    mutating func draw(_ robot: Robot, row: Int, column: Int, width: Int, height: Int) {
        let (columns, rows) = (width, (height - 4) / 2 * 2)
        let middle = column + width / 2
        put("robot", row: row, around: middle, robot.isConnected ? .good : .bad)
        let here = Self.cell(robot.place)
        let shift = (
            column: Self.shift(here.column, within: columns / 2 - 1),
            row: Self.shift(here.row, within: rows / 2 - 1)
        )
        func mark(_ text: String, _ place: Robot.Place, _ style: Style) {
            let cell = Self.cell(place)
            let spot = (column: cell.column - shift.column, row: cell.row - shift.row)
            guard abs(spot.column) <= columns / 2, abs(spot.row) <= rows / 2 else { return }
            put(text, row: row + 1 + rows / 2 + spot.row, column: middle + spot.column, style)
        }
        for line in stride(from: -(rows / 2), through: rows / 2, by: 2) {
            for step in stride(from: -(columns / 2 - 1), to: columns / 2, by: 5) {
                put("·", row: row + 1 + rows / 2 + line, column: middle + step, .quiet)
            }
        }
        for place in robot.trail { mark("∘", place, .plain) }
        let arrow = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"][Self.eighth(robot.heading)]
        mark(arrow, robot.place, robot.isMoving ? .strong : .bold)
        let power = robot.hasPower ? "power" : "no power"
        put(
            robot.isConnected ? "\(power), \(robot.isMoving ? "drives" : "at rest")" : "no link",
            row: row + height - 2, around: middle, robot.isMoving ? .bold : .quiet)
        put(
            robot.isMoving ? robot.wheelWords : robot.placeWords, row: row + height - 1, around: middle,
            .quiet)
    }

    private static func cell(_ place: Robot.Place) -> (column: Int, row: Int) {
        (Int((Double(place.x) / 200).rounded()), -Int((Double(place.y) / 400).rounded()))
    }

    /// Returns the scroll offset that keeps a cell visible, a multiple of half the floor's size.
    private static func shift(_ cell: Int, within half: Int) -> Int {
        guard abs(cell) > half, half > 0 else { return 0 }
        let steps = (abs(cell) - half + half - 1) / half
        return cell > 0 ? steps * half : -steps * half
    }
}

extension Robot {
    var wheelWords: String { "wheels " + wheels.map(String.init).joined(separator: " ") }

    var placeWords: String {
        func metres(_ millimetres: Int) -> String {
            let tenths = (abs(millimetres) + 50) / 100
            return "\(millimetres < 0 && tenths > 0 ? "-" : "")\(tenths / 10).\(tenths % 10)"
        }
        return "x \(metres(place.x)) m, y \(metres(place.y)) m"
    }

    /// The state of the robot that the floor shows, in one line.
    var line: String {
        let state = isConnected ? (hasPower ? "power" : "no power") : "no link"
        return "robot: \(state), \(isMoving ? wheelWords : "at rest"), \(placeWords)"
    }
}
