import Glibc

/// The terminal in raw mode: it shows the alternate screen, does not echo keys, and delivers input byte by byte.
struct RawTerminal {
    private var former = termios()
    private let hasInput = isatty(STDIN_FILENO) == 1

    init() {
        if hasInput {
            tcgetattr(STDIN_FILENO, &former)
            var raw = former
            // Ctrl-C still ends the program. Ctrl-Z is disabled: a stopped program would leave the alternate screen
            // visible while the demonstration continues.
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
            withUnsafeMutableBytes(of: &raw.c_cc) { keys in
                keys[Int(VSUSP)] = 0
                keys[Int(VQUIT)] = 0
                keys[Int(VMIN)] = 1
                keys[Int(VTIME)] = 0
            }
            tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        }
        StandardOutput.write("\u{1B}[?1049h\u{1B}[2J")
    }

    func restore() {
        StandardOutput.write("\u{1B}[?25h\u{1B}[?1049l")
        var former = former
        if hasInput { tcsetattr(STDIN_FILENO, TCSADRAIN, &former) }
    }

    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
