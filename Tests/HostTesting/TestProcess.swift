import Glibc
import Synchronization

/// A program that runs next to a test: in its own process group, and for at most five minutes, unless a long test has
/// allowed more.
public final class TestProcess: Sendable {
    /// The reason why a program could not be started, or failed.
    public struct Failure: Error, CustomStringConvertible {
        /// The cause, with the program's output.
        public let description: String
    }

    private struct State {
        var output: [UInt8] = []
        var status: CInt?
    }

    private let group: pid_t
    private let descriptor: CInt
    private let input: CInt
    private let state = Mutex(State())
    /// `F_SETPIPE_SZ` of fcntl(2), which the Glibc module lacks.
    private static let setPipeSize: CInt = 1031
    private static let lifetime = Mutex(300)

    /// Sets the maximum lifetime of programs started from now on; never less than the five minutes of all tests.
    public static func allow(seconds: Int) { lifetime.withLock { $0 = max($0, seconds) } }

    /// Starts a program, located with `PATH`; ``nextLine(within:)`` reads its standard output and standard error.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments.
    ///   - environment: Variables in addition to those of the test.
    ///   - hasInput: Whether ``write(_:)`` writes to its standard input; otherwise the input is empty.
    ///   - room: The buffer size in bytes for the output of a test that reads rarely; nil for the system's default.
    ///   - hearsSignals: Whether no signal is blocked for the program, like in a shell. The `timeout` around it
    ///     receives signals too in that case: end the program with ``sendAlone(_:)``.
    public init(
        _ arguments: [String], environment: [String: String] = [:], hasInput: Bool = false,
        room: Int? = nil, hearsSignals: Bool = false
    ) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
        var inputs: [CInt] = [-1, -1]
        guard !hasInput || pipe(&inputs) == 0 else { throw Failure(description: "no pipe") }
        for end in ends + inputs where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        if let room { _ = fcntl(ends[0], Self.setPipeSize, CInt(room)) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if hasInput {
            posix_spawn_file_actions_adddup2(&actions, inputs[0], 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // Tests run on threads of a pool, which have all signals blocked.
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags =
            POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | (hearsSignals ? POSIX_SPAWN_SETSIGMASK : 0)
        posix_spawnattr_setflags(&attributes, CShort(flags))

        let variables = environment.map { "\($0.key)=\($0.value)" }
        let command =
            ["timeout", "--kill-after=1", "\(Self.lifetime.withLock { $0 })"]
            + (variables.isEmpty ? [] : ["env"] + variables) + arguments
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        let status = posix_spawnp(&process, "timeout", &actions, &attributes, &words, environ)
        close(ends[1])
        if hasInput { close(inputs[0]) }
        // Checked before all properties are set: after that `deinit` would run, and killing group 0 would kill this
        // process.
        guard status == 0 else {
            close(ends[0])
            if hasInput { close(inputs[1]) }
            throw Failure(description: "cannot start \(arguments): \(String(cString: strerror(status)))")
        }
        input = inputs[1]
        descriptor = ends[0]
        group = process
    }

    deinit {
        end(with: SIGKILL)
        close(descriptor)
        if input >= 0 { close(input) }
    }

    /// The process ID of the program; nil after its end.
    public var pid: Int32? {
        // The program is the only child of the `timeout` that limits its lifetime.
        Self.words("/proc/\(group)/task/\(group)/children").first.flatMap { Int32($0) }
    }

    /// The memory in use, in bytes: all resident memory, and the part that is not mapped from files; nil after the
    /// program's end.
    public var memory: (resident: Int, own: Int)? { pid.flatMap(Self.memory) }

    /// The peak resident memory in bytes; nil after the program's end.
    public var peakMemory: Int? {
        guard let pid else { return nil }
        let words = Self.words("/proc/\(pid)/status")
        guard let index = words.firstIndex(of: "VmHWM:"), index + 1 < words.count else { return nil }
        return Int(words[index + 1]).map { $0 * 1024 }
    }

    /// Whether the program links Swift's libraries statically, like a release; nil after its end.
    public var isReleased: Bool? {
        guard let pid else { return nil }
        let mapped = Self.words("/proc/\(pid)/maps")
        return mapped.isEmpty ? nil : !mapped.contains { $0.hasSuffix("/libswiftCore.so") }
    }

    /// The number of open descriptors; nil after the program's end.
    public var openDescriptors: Int? {
        guard let pid, let folder = opendir("/proc/\(pid)/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) {
            if entry.pointee.d_name.0 != CChar(UInt8(ascii: ".")) { count += 1 }
        }
        return count
    }

    /// Whether the programs were built with a sanitizer, which needs additional memory and time. The variables are set
    /// by `deploy/test --sanitize`.
    public static let isSanitized = getenv("ASAN_OPTIONS") != nil || getenv("TSAN_OPTIONS") != nil

    /// The memory in use by any process; see ``memory``.
    public static func memory(of pid: Int32) -> (resident: Int, own: Int)? {
        let words = words("/proc/\(pid)/status")
        func bytes(_ label: Substring) -> Int? {
            guard let index = words.firstIndex(of: label), index + 1 < words.count else { return nil }
            return Int(words[index + 1]).map { $0 * 1024 }
        }
        guard let resident = bytes("VmRSS:"), let own = bytes("RssAnon:") else { return nil }
        return (resident, own)
    }

    /// The CPU time of the program, in its own code and in the kernel; nil after its end.
    public var processorTime: Duration? {
        guard let child = Self.words("/proc/\(group)/task/\(group)/children").first else { return nil }
        // After the name in parentheses, user and system time are the 12th and 13th word, in ticks.
        let words = Self.words("/proc/\(child)/stat").drop { !$0.hasSuffix(")") }.dropFirst()
        let ticks = words.dropFirst(11).prefix(2).compactMap { Int($0) }
        guard ticks.count == 2 else { return nil }
        return .milliseconds(ticks.reduce(0, +) * 1000 / sysconf(CInt(_SC_CLK_TCK)))
    }

    private static func words(_ path: String) -> [Substring] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 8192)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
    }

    /// Runs a program to its end and returns its output.
    @discardableResult
    public static func run(_ arguments: [String]) throws -> String {
        let process = try TestProcess(arguments)
        var lines: [String] = []
        while let line = process.nextLine(within: .seconds(60)) { lines.append(line) }
        let status = process.end(with: nil)
        let output = lines.joined(separator: "\n")
        guard status == 0 else { throw Failure(description: "\(arguments) ended with \(status): \(output)") }
        return output
    }

    /// Returns the next line of the program's output; nil at the end, or if no line arrived in time.
    public func nextLine(within limit: Duration) -> String? {
        let end = ContinuousClock.now + limit
        while true {
            let line = state.withLock { state -> String? in
                guard let newline = state.output.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { state.output.removeSubrange(...newline) }
                return String(decoding: state.output[..<newline], as: UTF8.self)
            }
            if let line { return line }
            let left = ContinuousClock.now.duration(to: end).components
            guard left.seconds >= 0, left.attoseconds >= 0 else { return nil }
            var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
            let milliseconds = CInt(left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
            guard poll(&entry, 1, milliseconds + 1) > 0 else { return nil }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return nil }
            state.withLock { $0.output.append(contentsOf: buffer[..<count]) }
        }
    }

    /// Writes a line to the program's standard input.
    public func write(_ line: String) throws {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { throw Failure(description: "the program reads no more: \(line)") }
            bytes.removeFirst(count)
        }
    }

    /// Sends a signal to the program, such as `SIGSTOP`.
    public func send(_ signal: CInt) {
        state.withLock { state in
            if state.status == nil { Glibc.kill(-group, signal) }
        }
    }

    /// Sends a signal only to the program: the `timeout` around it would end on the signal. After `SIGSTOP`, waits until
    /// each thread is stopped: the kernel stops one thread after another, and on a busy machine the others continue for a
    /// while.
    public func sendAlone(_ signal: CInt) {
        guard let child = Self.words("/proc/\(group)/task/\(group)/children").first.flatMap({ pid_t($0) })
        else {
            return
        }
        Glibc.kill(child, signal)
        let end = ContinuousClock.now + .seconds(5)
        while signal == SIGSTOP, !Self.isStopped(child), ContinuousClock.now < end { usleep(200) }
    }

    private static func isStopped(_ process: pid_t) -> Bool {
        guard let folder = opendir("/proc/\(process)/task") else { return true }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            let status = words("/proc/\(process)/task/\(name)/status")
            if let state = status.firstIndex(of: "State:"), status[state + 1] != "T" { return false }
        }
        return true
    }

    /// Sends a signal, unless it is nil, and waits for the program's end; returns its exit status.
    @discardableResult
    public func end(with signal: CInt?) -> CInt {
        state.withLock { state in
            if let status = state.status { return status }
            if let signal { Glibc.kill(-group, signal) }
            var status: CInt = 0
            while waitpid(group, &status, 0) < 0, errno == EINTR {}
            let exit = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
            // `timeout` may have ended before its program.
            Glibc.kill(-group, SIGKILL)
            state.status = exit
            return exit
        }
    }
}
