import Glibc

/// The width of standard output, and whether it shows colors.
package struct TerminalStyle: Hashable, Sendable {
    /// The meaning of a word in the output, which determines its color.
    package enum Tone: String, Sendable {
        case good = "32"
        case doubtful = "33"
        case bad = "1;31"
    }

    /// The width at which lines are wrapped.
    package var columns: Int
    package var isColoured: Bool

    /// The width if the output is not a terminal, and the maximum width on a terminal: longer lines are hard to read.
    package static let widest = 110
    /// The minimum width: a narrower terminal wraps lines itself.
    package static let narrowest = 40

    package init(columns: Int = TerminalStyle.widest, isColoured: Bool = false) {
        self.columns = columns
        self.isColoured = isColoured
    }

    /// - Parameters:
    ///   - terminal: The number of columns of the terminal; nil if the output is not a terminal, and 0 if the number is
    ///     unknown.
    ///   - environment: A non-empty `NO_COLOR` and `TERM=dumb` disable colors; `COLUMNS` is used if the terminal does
    ///     not report its width.
    package init(terminal: Int?, environment: [String: String]) {
        guard let terminal else {
            self.init()
            return
        }
        let width = terminal > 0 ? terminal : environment["COLUMNS"].flatMap { Int($0) } ?? 80
        let isPlain = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
        self.init(columns: min(max(width, Self.narrowest), Self.widest), isColoured: !isPlain)
    }

    /// The style for a descriptor, such as standard output.
    package init(of descriptor: CInt, environment: [String: String]) {
        var size = winsize()
        guard isatty(descriptor) == 1 else {
            self.init()
            return
        }
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        self.init(terminal: isKnown ? Int(size.ws_col) : 0, environment: environment)
    }

    /// Returns the text with the color of its tone, if colors are enabled.
    package func paint(_ text: String, _ tone: Tone) -> String {
        isColoured ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}
