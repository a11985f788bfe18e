/// A picture of patterns (gray) and their renderings (red): a row for each pattern, a column for each device.
struct CurvePicture {
    /// The curves of one pattern on one device, as samples.
    struct Cell {
        var asked: [Double]
        var shown: [Double]
        /// The mean difference in percent.
        var error: Double
    }

    private static let (left, top, width, height, gap) = (110, 30, 190, 40, 20)

    private let columns: [String]
    private var elements: [String] = []
    private var rows = 0

    init(columns: [String]) {
        self.columns = columns
        for (index, name) in columns.enumerated() {
            text(name, x: Self.left + index * (Self.width + Self.gap), y: 18, weight: "bold")
        }
    }

    mutating func add(_ name: String, _ cells: [Cell]) {
        let y = Self.top + rows * (Self.height + Self.gap)
        text(name, x: 8, y: y + Self.height / 2 + 5)
        for (index, cell) in cells.enumerated() {
            let x = Self.left + index * (Self.width + Self.gap)
            path(cell.asked, x, y, "fill=\"#cbd2d9\"")
            path(cell.shown, x, y, "fill=\"#d64545\" fill-opacity=\"0.35\" stroke=\"#d64545\"")
            text("\(Self.decimal(cell.error)) %", x: x + Self.width, y: y - 2, anchor: "end", size: 10)
        }
        rows += 1
    }

    var svg: String {
        let width = Self.left + columns.count * (Self.width + Self.gap)
        let height = Self.top + rows * (Self.height + Self.gap)
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
            + "viewBox=\"0 0 \(width) \(height)\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
            + elements.joined(separator: "\n") + "\n</svg>\n"
    }

    private mutating func path(_ values: [Double], _ x: Int, _ y: Int, _ style: String) {
        let step = Double(Self.width) / Double(values.count)
        var points = "M\(x) \(y + Self.height)"
        for (index, value) in values.enumerated() {
            let level = Self.decimal(Double(y) + Double(Self.height) * (1 - value))
            points += "H\(Self.decimal(Double(x) + step * Double(index)))V\(level)"
        }
        elements.append("<path d=\"\(points)H\(x + Self.width)V\(y + Self.height)Z\" \(style)/>")
    }

    private mutating func text(
        _ words: String, x: Int, y: Int, anchor: String = "start", size: Int = 13, weight: String = "normal"
    ) {
        elements.append(
            "<text x=\"\(x)\" y=\"\(y)\" font-family=\"sans-serif\" font-size=\"\(size)\" "
                + "font-weight=\"\(weight)\" text-anchor=\"\(anchor)\" fill=\"#1f2933\">\(words)</text>")
    }

    private static func decimal(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
