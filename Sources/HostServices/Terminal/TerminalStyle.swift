import Glibc

/// How wide standard output is, and whether colours are shown there.
package struct TerminalStyle: Hashable, Sendable {
    /// What the words of an output mean, and so which colour they have.
    package enum Tone: String, Sendable {
        case good = "32"
        case doubtful = "33"
        case bad = "1;31"
    }

    /// Where lines are broken.
    package var columns: Int
    package var isColoured: Bool

    /// The width without a terminal, and the largest: wider lines are hard to read.
    package static let widest = 110
    /// The least width: a narrower terminal breaks lines by itself.
    package static let narrowest = 40

    package init(columns: Int = TerminalStyle.widest, isColoured: Bool = false) {
        self.columns = columns
        self.isColoured = isColoured
    }

    /// - Parameters:
    ///   - terminal: How many columns the terminal has; nil where the output is none, and 0 where it does not know.
    ///   - environment: `NO_COLOR`, if it is not empty, and `TERM=dumb` forbid colours; `COLUMNS` stands for the width
    ///     that a terminal does not know.
    package init(terminal: Int?, environment: [String: String]) {
        guard let terminal else {
            self.init()
            return
        }
        let width = terminal > 0 ? terminal : environment["COLUMNS"].flatMap { Int($0) } ?? 80
        let isPlain = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
        self.init(columns: min(max(width, Self.narrowest), Self.widest), isColoured: !isPlain)
    }

    /// That of a descriptor, such as standard output's.
    package init(of descriptor: CInt, environment: [String: String]) {
        var size = winsize()
        guard isatty(descriptor) == 1 else {
            self.init()
            return
        }
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        self.init(terminal: isKnown ? Int(size.ws_col) : 0, environment: environment)
    }

    /// The text in its colour, if colours are shown.
    package func paint(_ text: String, _ tone: Tone) -> String {
        isColoured ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
    }
}
