import ArgumentParser
import Glibc

/// A running demonstration: input updates the scene, which is shown on the screen or as lines.
final class Show {
    private var scene: Scene
    private var feeds: [CInt] = []
    private var pending: [CInt: [UInt8]] = [:]
    private let acts: CInt
    private let messages: CInt
    private let keep: CInt
    private let deadline: Duration?
    private let isScreen: Bool
    private let isColoured: Bool
    private var editor = LineEditor()
    private var hasInput = true
    /// The lines that the terminal shows now; only lines that differ from them are written.
    private var shown: [String] = []
    private var shownCursor: [Int] = []
    private var told = 0
    private let begin = ContinuousClock.now

    init(
        scene: Scene, feeds paths: [String], acts: String?, messages: String?, keep: String?, seconds: Int?
    ) throws {
        self.scene = scene
        let isDumb = getenv("TERM").map { String(cString: $0) } == "dumb"
        isScreen = isatty(STDOUT_FILENO) == 1 && !isDumb
        isColoured = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
        self.acts = try acts.map { try Self.open($0, O_RDWR) } ?? -1
        self.messages = try messages.map { try Self.open($0, O_RDWR) } ?? -1
        self.keep = try keep.map { try Self.open($0, O_WRONLY | O_CREAT | O_TRUNC) } ?? -1
        deadline = seconds.map { .seconds($0) }
        // The pipes are opened for writing too, so that a pipe does not reach its end when its writer exits.
        feeds = try paths.map { try Self.open($0, O_RDWR) }
    }

    private static func open(_ path: String, _ flags: CInt) throws -> CInt {
        let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw ValidationError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    private var moment: Scene.Moment {
        var (seconds, parts) = (time(nil), tm())
        localtime_r(&seconds, &parts)
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return .init(
            elapsed: ContinuousClock.now - begin,
            clock: "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))")
    }

    /// Runs until a signal arrives, the time limit is over, or the user ends the program.
    func run() {
        let signals = Signals()
        let terminal = isScreen ? RawTerminal() : nil
        if !isScreen { for line in scene.hints.lines + [""] { StandardOutput.write(line + "\n") } }
        while carryOn(signals.descriptor) {}
        terminal?.restore()
    }

    /// Shows the scene, waits for input and processes it; returns false at the end.
    private func carryOn(_ signals: CInt) -> Bool {
        show()
        if let deadline, ContinuousClock.now - begin >= deadline { return false }
        let sources = [signals] + (hasInput ? [STDIN_FILENO] : []) + feeds
        var polled = sources.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // The timeout of 200 ms is needed to end the display of a tap.
        let count = poll(&polled, nfds_t(polled.count), 200)
        guard count > 0 else { return count == 0 || errno == EINTR }
        for entry in polled where entry.revents != 0 {
            let bytes = Descriptor.read(entry.fd)
            switch entry.fd {
            case signals:
                for number in bytes ?? [] {
                    if Signals.ends.contains(CInt(number)) { return false }
                    // The size of the terminal has changed, so all lines are drawn again.
                    shown = []
                }
            case STDIN_FILENO:
                guard let bytes else {
                    // When the input ends, the demonstration continues without it.
                    hasInput = false
                    continue
                }
                guard takeTyped(bytes) else { return false }
            default: takeHeard(bytes ?? [], from: entry.fd)
            }
        }
        return true
    }

    private func takeHeard(_ bytes: [UInt8], from feed: CInt) {
        var rest = pending[feed, default: []] + bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest.removeFirst(end + 1)
            note(.heard(line))
            scene.take(line, at: moment)
        }
        pending[feed] = rest
    }

    /// Processes typed bytes; returns false if the user has typed the end of the input.
    private func takeTyped(_ bytes: [UInt8]) -> Bool {
        for outcome in editor.take(bytes) {
            switch outcome {
            case .end:
                if isScreen { return false }
            case .redraw: shown = []
            case .line(let line):
                note(.typed(line))
                switch scene.type(line, at: moment) {
                case .nothing: break
                case .act(let text): Descriptor.write(text + "\n", to: acts)
                case .message(let topic, let payload):
                    Descriptor.write("\(topic) \(payload)\n", to: messages)
                }
            }
        }
        return true
    }

    private func note(_ content: Recording.Content) {
        guard keep >= 0 else { return }
        let at = Int((ContinuousClock.now - begin) / .milliseconds(1))
        Descriptor.write(Recording.Entry(at: at, content).line + "\n", to: keep)
    }

    private func show() {
        scene.now = ContinuousClock.now - begin
        guard isScreen else { return tell() }
        scene.typed = hasInput ? (editor.text, editor.cursor) : nil
        let size = RawTerminal.size
        let screen = Screen(scene, width: size.width, height: size.height)
        let lines = screen.canvas.terminalLines(isColoured: isColoured)
        var output = ""
        if shown.count != lines.count {
            output += "\u{1B}[2J"
            shown = Array(repeating: "", count: lines.count)
        }
        for (row, line) in lines.enumerated() where shown[row] != line {
            output += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
        }
        shown = lines
        let place = screen.cursor.map { [$0.row + 1, $0.column + 1] } ?? []
        guard !output.isEmpty || place != shownCursor else { return }
        shownCursor = place
        output += place.isEmpty ? "\u{1B}[?25l" : "\u{1B}[\(place[0]);\(place[1])H\u{1B}[?25h"
        StandardOutput.write("\u{1B}[?25l" + output)
    }

    /// Prints the new events, one per line.
    private func tell() {
        let new = min(scene.eventCount - told, scene.events.count)
        for event in scene.events.suffix(new) { StandardOutput.write(event.line + "\n") }
        told = scene.eventCount
    }
}
