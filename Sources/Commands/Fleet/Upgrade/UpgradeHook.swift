import EventLoop
import Glibc

/// The operator's program that installs a version on a host.
struct UpgradeHook: Sendable {
    var program: String
    var arguments: [String]
    /// Added to the variables of this process.
    var environment: [String: String]
    var limit: Duration

    /// The time between SIGTERM and SIGKILL.
    private static let grace = Duration.seconds(5)
    /// How often the end of the program is checked, in milliseconds.
    private static let interval: CInt = 50
    /// A longer line is cut into several.
    private static let lineLimit = 4096
    /// POSIX_SPAWN_SETSID of glibc, which Swift does not import: without a terminal, ssh fails instead of waiting for
    /// a password, and an interrupt from the keyboard does not reach the program.
    private static let newSession: CShort = 0x80

    /// Runs the program, and blocks the thread until it ends.
    ///
    /// - Parameters:
    ///   - isCanceled: Whether the program must be terminated early.
    ///   - show: Receives each line of its output.
    /// - Returns: Why the program failed; nil if it succeeded.
    func run(isCanceled: () -> Bool, show: (String) -> Void) -> String? {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return Self.text("socketpair", errno) }
        defer { close(ends[0]) }
        let (pid, status) = spawn(output: ends[1])
        close(ends[1])
        guard status == 0 else { return Self.text(program, status) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)

        var output = HookOutput(descriptor: ends[0], lineLimit: Self.lineLimit)
        let end = EventLoop.now + limit
        var failure: (reason: String, killTime: Duration)?
        while true {
            output.wait(Self.interval)
            // The order matters: what the program wrote before its end is read after its end was seen.
            let status = Self.reap(pid)
            output.read(show)
            if let status {
                output.finish(show)
                return failure?.reason ?? Self.reason(status)
            }
            let now = EventLoop.now
            if let failure {
                if now >= failure.killTime { kill(-pid, SIGKILL) }
            } else if now >= end || isCanceled() {
                let late = "not finished within \(limit.components.seconds) s"
                failure = (now >= end ? late : "terminated by the interrupt", now + Self.grace)
                kill(-pid, SIGTERM)
            }
        }
    }

    private func spawn(output: CInt) -> (pid: pid_t, status: CInt) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for number in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, CShort(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | Self.newSession)

        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = allVariables.map { strdup($0) } + [nil]
        defer { for word in words + variables { free(word) } }
        var pid = pid_t()
        let status = posix_spawn(&pid, program, &actions, &attributes, &words, &variables)
        return (pid, status)
    }

    private var allVariables: [String] {
        var all: [String] = []
        var entry = environ
        while let variable = entry.pointee {
            let text = String(cString: variable)
            if environment[String(text.prefix { $0 != "=" })] == nil { all.append(text) }
            entry += 1
        }
        return all + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    /// The status of the ended process, after which it is no zombie; nil while it runs.
    private static func reap(_ pid: pid_t) -> CInt? {
        var status: CInt = 0
        return waitpid(pid, &status, WNOHANG) == pid ? status : nil
    }

    /// Why a process failed; nil if it succeeded.
    private static func reason(_ status: CInt) -> String? {
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        return signal != 0 ? "ended by signal \(signal)" : code != 0 ? "exit status \(code)" : nil
    }

    private static func text(_ what: String, _ number: CInt) -> String {
        "\(what): \(String(cString: strerror(number)))"
    }
}

/// Splits the output of a program into lines.
private struct HookOutput {
    /// Negative after the end of the output.
    var descriptor: CInt
    let lineLimit: Int
    private var rest: [UInt8] = []

    init(descriptor: CInt, lineLimit: Int) {
        (self.descriptor, self.lineLimit) = (descriptor, lineLimit)
    }

    /// Waits for output, at most for some milliseconds.
    func wait(_ limit: CInt) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, limit)
    }

    mutating func read(_ show: (String) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // More than the buffer of a socket, and bounded: a program that always writes must not delay its time limit.
        for _ in 0..<64 where descriptor >= 0 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count <= 0 {
                if count == 0 { descriptor = -1 }
                return
            }
            for byte in buffer[..<count] {
                if byte == UInt8(ascii: "\n") || rest.count == lineLimit { finish(show) }
                if byte != UInt8(ascii: "\n") { rest.append(byte) }
            }
        }
    }

    mutating func finish(_ show: (String) -> Void) {
        guard !rest.isEmpty else { return }
        show(String(decoding: rest, as: UTF8.self))
        rest = []
    }
}
