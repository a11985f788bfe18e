import Glibc
import HostServices

/// A process identified by its ID and start time, which no later process with the same ID shares.
struct ProcessIdentity: Hashable, Sendable, CustomStringConvertible {
    var pid: pid_t
    /// The start time in clock ticks since boot (the 22nd word of `/proc/<pid>/stat`, proc(5)).
    var start: UInt64

    init(pid: pid_t, start: UInt64) {
        self.pid = pid
        self.start = start
    }

    /// Looks up a running process; nil if there is none, or if it has ended and is only a zombie.
    init?(of pid: pid_t) {
        guard let bytes = try? FileAccess.readFromKernel("/proc/\(pid)/stat") else { return nil }
        self.init(pid: pid, stat: String(decoding: bytes, as: UTF8.self))
    }

    /// Parses `/proc/<pid>/stat`; the process name, in parentheses, may contain spaces and parentheses.
    init?(pid: pid_t, stat text: String) {
        guard let end = text.lastIndex(of: ")") else { return nil }
        let words = text[text.index(after: end)...].split(separator: " ")
        guard words.count > 19, words[0] != "Z", words[0] != "X", let start = UInt64(words[19]) else {
            return nil
        }
        self.init(pid: pid, start: start)
    }

    /// Parses the text of ``description``.
    init?(_ text: some StringProtocol) {
        let words = text.split(separator: " ")
        guard words.count == 2, let pid = pid_t(words[0]), pid > 0, let start = UInt64(words[1]) else {
            return nil
        }
        self.init(pid: pid, start: start)
    }

    /// The process in the form `<pid> <start>`.
    var description: String { "\(pid) \(start)" }

    /// Whether this process is still running.
    var isAlive: Bool { ProcessIdentity(of: pid) == self }

    /// Kills the process, even if it is stopped; does nothing if another process has its ID.
    func kill() {
        if isAlive { _ = Glibc.kill(pid, SIGKILL) }
    }
}
