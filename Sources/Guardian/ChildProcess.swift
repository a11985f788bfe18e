import EventLoop
import Glibc

/// A second process of this program, connected to this process by a socket.
package struct ChildProcess: Sendable {
    /// A system call that failed, and its error.
    struct Failure: Error, CustomStringConvertible {
        var call: String
        var number: CInt
        var description: String { "\(call): \(String(cString: strerror(number)))" }
    }

    let pid: pid_t
    /// This process's end of the socket. No other process inherits the descriptor, so it closes when this process ends.
    let line: CInt
    let start = EventLoop.now

    /// Starts this program again, with the other end of the socket as descriptor 3. Signals are blocked until the new
    /// process has set its handlers.
    ///
    /// The program is loaded from `/proc/self/exe`, so an update that replaces the program's file has no effect.
    static func spawnSelf(_ arguments: [String]) throws(Failure) -> ChildProcess {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Failure(call: "socketpair", number: errno)
        }
        defer { close(ends[1]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], GuardianProcess.lineDescriptor)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var held = sigset_t()
        sigemptyset(&held)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGABRT, SIGQUIT, SIGPIPE] { sigaddset(&held, number) }
        posix_spawnattr_setsigmask(&attributes, &held)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

        var words: [UnsafeMutablePointer<CChar>?] =
            (["tactile-bridge"] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = Self.environment.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var pid = pid_t()
        let status = posix_spawn(&pid, "/proc/self/exe", &actions, &attributes, &words, &variables)
        guard status == 0 else {
            close(ends[0])
            throw Failure(call: "posix_spawn", number: status)
        }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return ChildProcess(pid: pid, line: ends[0])
    }

    /// The variables that the new process inherits: they locate libraries and the bus, and set the log format. Settings
    /// are excluded, because a password may be among them. systemd's variables are excluded, because they are only for
    /// this process.
    private static var environment: [String] {
        let names = ["PATH", "HOME", "TZ", "TZDIR", "LANG", "XDG_RUNTIME_DIR", "GLIBC_TUNABLES"]
        // Prefixes of variables for libraries, the bus, the locale, the allocator, and the runtimes of test builds.
        let families = [
            "LD_", "DBUS_", "LC_", "MALLOC_", "SWIFT_", "ASAN_", "TSAN_", "UBSAN_", "LSAN_", "LLVM_",
        ]
        var all: [String] = []
        var entry = environ
        while let variable = entry.pointee {
            let text = String(cString: variable)
            let name = String(text.prefix { $0 != "=" })
            if names.contains(name) || families.contains(where: name.hasPrefix) { all.append(text) }
            entry += 1
        }
        return all
    }

    func closeLine() { close(line) }

    /// Kills the process, even if it is stopped. No other process can have the process ID, because the process is a
    /// child of this process.
    func kill() { _ = Glibc.kill(pid, SIGKILL) }

    /// Reads the exit status of the ended process, so that it does not remain a zombie; returns false if it has not
    /// ended yet.
    func reap() -> Bool {
        var status: CInt = 0
        while true {
            let result = waitpid(pid, &status, WNOHANG)
            if result < 0, errno == EINTR { continue }
            return result != 0
        }
    }
}
