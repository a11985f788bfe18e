import Glibc
import JSON
import VirtualDevices

/// Draws the devices, live, above the place where lines are typed; without a terminal picture after picture.
struct WearOutput: Output {
    private var wearers: [Wearer] = []
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var drawing: RingDrawing

    init() {
        let isPlain = getenv("NO_COLOR") != nil
        drawing = RingDrawing(isColoured: isTerminal && !isPlain)
    }

    /// Keeps the upper part of the screen for the picture and lets the rest scroll.
    func begin() {
        guard isTerminal else { return }
        StandardOutput.write(
            "\u{1B}[2J\u{1B}[\(RingDrawing.height + 2);999r\u{1B}[\(RingDrawing.height + 2);1H")
    }

    func ready(_ place: Object) {
        let words = place.members.map { "\($0.key) \($0.value.string ?? "")" }.joined(separator: ", ")
        StandardOutput.write("Ready on \(words). Type a line such as: belt press home\n")
    }

    mutating func show(_ report: Report) {
        if case .error(let message) = report.event {
            StandardOutput.write("\(message)\n")
            return
        }
        guard let device = report.device else { return }
        let index = wearers.firstIndex { $0.name == device } ?? wearers.endIndex
        if index == wearers.endIndex { wearers.append(Wearer(name: device)) }
        if wearers[index].take(report.event) { draw() }
    }

    func end() {
        guard isTerminal else { return }
        StandardOutput.write("\u{1B}[r\u{1B}[999;1H\n")
    }

    /// Draws as many devices side by side as the terminal is wide.
    private func draw() {
        let count = max(1, columns / RingDrawing.width)
        let pictures = wearers.prefix(count).map { drawing.lines(of: $0) }
        let rows = (0..<RingDrawing.height).map { row in pictures.map { $0[row] }.joined() }
        if isTerminal {
            let lines = rows.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
            StandardOutput.write("\u{1B}7\u{1B}[1;1H\(lines)\u{1B}8")
        } else {
            StandardOutput.write(rows.joined(separator: "\n") + "\n")
        }
    }

    private var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
