import Glibc
import HostServices

/// A process by its number and the moment of its start, which no later process with that number has.
struct ProcessIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Its number.
    var pid: pid_t
    /// When it was started, in clock ticks since the machine was (the 22nd word of `/proc/<pid>/stat`, proc(5)).
    var start: UInt64

    init(pid: pid_t, start: UInt64) {
        self.pid = pid
        self.start = start
    }

    /// Looks a process up; nil if there is none, or one that has ended and is not reaped yet.
    init?(of pid: pid_t) {
        guard let bytes = try? FileAccess.readFromKernel("/proc/\(pid)/stat") else { return nil }
        self.init(pid: pid, stat: String(decoding: bytes, as: UTF8.self))
    }

    /// Reads the system's words about a process; its name, in parentheses, may have spaces and parentheses too.
    init?(pid: pid_t, stat text: String) {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let words = text[text.index(after: end)...].split(separator: " ")
        guard words.count > 19, words[0] != "Z", words[0] != "X", let start = UInt64(words[19]) else {
            return nil
        }
        self.init(pid: pid, start: start)
    }

    /// Reads `<pid> <start>`.
    init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count == 2, let pid = pid_t(words[0]), pid > 0, let start = UInt64(words[1]) else {
            return nil
        }
        self.init(pid: pid, start: start)
    }

    /// `<pid> <start>`
    var description: String { "\(pid) \(start)" }

    /// Whether this very process is there.
    var isAlive: Bool { ProcessIdentity(of: pid) == self }

    /// Ends it, even if it is stopped; does nothing if its number belongs to another process by now.
    func kill() {
        if isAlive { _ = Glibc.kill(pid, SIGKILL) }
    }
}
