import EventLoop
import Glibc
import Terminal

/// A terminal screen on which a table is redrawn in the same place.
///
/// Uses the terminal's alternate screen, so the previous content returns at the end. Until then keys are not echoed.
/// Ctrl-Z is disabled, because a stopped program could not restore the terminal.
package final class Screen: Sendable {
    private let terminal: termios?

    /// Sets up the terminal; nil if standard output is not a terminal.
    package init?() {
        guard isatty(STDOUT_FILENO) == 1, getenv("TERM").map({ String(cString: $0) }) != "dumb" else {
            return nil
        }
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &settings) == 0 else {
            terminal = nil
            Self.write("\u{1B}[?1049h\u{1B}[?25l")
            return
        }
        terminal = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        // This disables VSUSP (Ctrl-Z), the control character with index 10.
        settings.c_cc.10 = 0
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        Self.write("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Replaces the displayed lines.
    package func draw(_ lines: [String]) {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        Self.write(
            Self.frame(lines, rows: isKnown ? Int(size.ws_row) : 24, columns: isKnown ? Int(size.ws_col) : 80)
        )
    }

    /// Restores the terminal.
    package func end() {
        Self.write("\u{1B}[?25h\u{1B}[?1049l")
        if var terminal { tcsetattr(STDIN_FILENO, TCSANOW, &terminal) }
    }

    /// Returns the text that draws lines from the upper left corner. Lines are cut at the right edge; the number of
    /// lines that do not fit is shown at the end.
    static func frame(_ lines: [String], rows: Int, columns: Int) -> String {
        var shown = lines.map(\.printable)
        if lines.count > rows {
            shown = lines.prefix(max(rows - 1, 0)) + ["… \(lines.count - max(rows - 1, 0)) more lines"]
        }
        let text = shown.prefix(rows).map { String($0.prefix(columns)) + "\u{1B}[K" }.joined(
            separator: "\r\n")
        return "\u{1B}[H\(text)\u{1B}[J"
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// A handler of key presses on the terminal, which is registered until ``end()``.
struct KeyWatch: Sendable {
    fileprivate let cancel: @Sendable () -> Void

    /// Removes the handler.
    func end() { cancel() }
}

extension EventLoop {
    /// Calls a handler on the loop when the user presses q or closes standard input. Does nothing if standard input is
    /// not a terminal.
    func watchKeys(_ quit: @escaping @Sendable () -> Void) -> KeyWatch {
        guard isatty(STDIN_FILENO) == 1 else { return KeyWatch {} }
        let listener = KeyListener(loop: self, quit: quit)
        execute { listener.assumeIsolated { $0.begin() } }
        return KeyWatch { self.execute { listener.assumeIsolated { $0.end() } } }
    }
}

private actor KeyListener {
    private let loop: EventLoop
    private let quit: @Sendable () -> Void
    private var watch: Watch?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, quit: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.quit = quit
    }

    func begin() {
        watch = loop.watch(STDIN_FILENO, for: .readable) { [weak self] _ in
            self?.assumeIsolated { $0.read() }
        }
    }

    func end() {
        watch?.cancel()
        watch = nil
    }

    private func read() {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0,
            !bytes[..<count].contains(where: { $0 == UInt8(ascii: "q") || $0 == UInt8(ascii: "Q") })
        else {
            if count < 0, errno == EINTR || errno == EAGAIN { return }
            end()
            return quit()
        }
    }
}
