import Glibc
import JSON
import VirtualDevices

/// Draws the state of the devices above the input line of a terminal. Without a terminal, it prints one picture after
/// the other.
///
/// Belts are rings in a row; every other device is a line below them.
struct WearOutput: Output {
    private var belts: [Wearer]
    private var others: [Wearer]
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var drawing: RingDrawing

    /// The maximum number of lines for devices, so that the input stays visible.
    private static let mostLines = 8

    init(_ scenario: Scenario) {
        let isPlain = getenv("NO_COLOR") != nil
        drawing = RingDrawing(isColoured: isTerminal && !isPlain)
        let wearers = scenario.devices.map { Wearer(name: $0.name, kind: $0.model.kind) }
        belts = wearers.filter { $0.kind == "belt" }
        others = wearers.filter { $0.kind != "belt" }
    }

    /// The number of rows of the picture.
    private var height: Int {
        (belts.isEmpty ? 0 : RingDrawing.height) + min(others.count, Self.mostLines)
    }

    /// Reserves the upper part of the screen for the picture; the lower part scrolls.
    func begin() {
        guard isTerminal else { return }
        StandardOutput.write("\u{1B}[2J\u{1B}[\(height + 2);999r\u{1B}[\(height + 2);1H")
    }

    func ready(_ place: Object) {
        let words = place.members.flatMap { member in
            member.value.object?.members.map { "host \($0.key) \($0.value.string ?? "")" }
                ?? ["\(member.key) \(member.value.string ?? "")"]
        }.joined(separator: ", ")
        let example = belts.isEmpty ? "\(others.first?.name ?? "tap") 5" : "belt press home"
        StandardOutput.write("Ready on \(words). Type a line such as: \(example)\n")
    }

    mutating func show(_ report: Report) {
        if case .error(let message) = report.event {
            StandardOutput.write("\(message)\n")
            return
        }
        guard let device = report.device else { return }
        if let index = belts.firstIndex(where: { $0.name == device }) {
            if belts[index].take(report.event) { draw() }
        } else if let index = others.firstIndex(where: { $0.name == device }) {
            if others[index].take(report.event) { draw() }
        }
    }

    func end() {
        guard isTerminal else { return }
        StandardOutput.write("\u{1B}[r\u{1B}[999;1H\n")
    }

    /// Draws as many belts in a row as the terminal is wide enough for, and the other devices below.
    private func draw() {
        let rows = rows(columns: columns)
        if isTerminal {
            let lines = rows.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
            StandardOutput.write("\u{1B}7\u{1B}[1;1H\(lines)\u{1B}8")
        } else {
            StandardOutput.write(rows.joined(separator: "\n") + "\n")
        }
    }

    /// The rows of the picture, top to bottom.
    func rows(columns: Int) -> [String] {
        var rows: [String] = []
        if !belts.isEmpty {
            let pictures = belts.prefix(max(1, columns / RingDrawing.width)).map { drawing.lines(of: $0) }
            rows = (0..<RingDrawing.height).map { row in pictures.map { $0[row] }.joined() }
        }
        return rows + others.prefix(Self.mostLines).map { String($0.line.prefix(columns)) }
    }

    private var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
