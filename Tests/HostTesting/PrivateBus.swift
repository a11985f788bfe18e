public import DBus
public import Glibc

/// Runs a private `dbus-daemon` on a Unix socket in a temporary directory; no other bus is affected.
///
/// The daemon ends with the process that created it, however that ends. The address stays the same after `stop` and
/// `start`, so that tests can make a bus disappear and return.
public final class PrivateBus {
    /// The reason why the daemon could not be started.
    public struct Failure: Error, CustomStringConvertible {
        /// The cause.
        public let description: String
    }

    /// The address of the bus.
    public let address: Address
    /// The process ID of the daemon; 0 while it is stopped.
    public private(set) var process: pid_t = 0
    private let directory: String
    /// The process ID of a shell that ends the daemon after this process has ended.
    private var keeper: pid_t = 0

    /// Creates a bus and starts it.
    ///
    /// - Parameter policy: Policy elements of its configuration; nil allows everything, like on a session bus.
    public init(policy: String? = nil) throws {
        var template = Array("/tmp/private-bus-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure(description: "mkdtemp failed: \(errno)") }
        directory = String(cString: path)
        address = .explicit("unix:path=\(directory)/bus")
        try Self.write(
            Self.configuration(socket: "\(directory)/bus", policy ?? Self.openPolicy),
            to: "\(directory)/bus.conf")
        try start()
    }

    deinit {
        stop()
        for name in ["bus", "bus.conf"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }

    /// Starts the daemon and waits until it listens.
    public func start() throws {
        guard keeper == 0 else { return }
        unlink("\(directory)/bus")
        let (report, reportEnd) = try Self.makePipe()
        defer { close(report) }
        // The daemon prints its process ID once it listens. A process that has ended but was not yet reaped has no
        // program, but can still receive signals.
        let script = """
            dbus-daemon --config-file="$0" --nofork --nopidfile --print-pid=1 &
            exec >/dev/null
            while [ -e /proc/"$1"/exe ] && kill -0 $!; do sleep 1; done 2>/dev/null
            kill -KILL $!
            """
        keeper = try Self.spawn(
            ["sh", "-c", script, "\(directory)/bus.conf", "\(getpid())"], output: reportEnd)
        close(reportEnd)
        guard let number = Self.readNumber(report) else {
            stop()
            throw Failure(description: "dbus-daemon did not start")
        }
        process = number
    }

    /// Kills the daemon, like a crash; every connection is lost.
    public func stop() {
        guard keeper != 0 else { return }
        if process != 0 { kill(process, SIGKILL) }
        kill(keeper, SIGKILL)
        while waitpid(keeper, nil, 0) < 0 && errno == EINTR {}
        (process, keeper) = (0, 0)
    }

    /// Stops the daemon without ending it, so that no call is answered, or lets it continue.
    public func setHalted(_ isHalted: Bool) {
        guard process != 0 else { return }
        kill(process, isHalted ? SIGSTOP : SIGCONT)
    }

    /// Makes the bus reject further connections, or accept them again.
    public func setFull(_ isFull: Bool) throws {
        let limit = #"<limit name="max_connections_per_user">1</limit>"#
        try setPolicy(isFull ? Self.openPolicy + limit : nil)
        kill(process, SIGHUP)
    }

    /// Writes a different configuration, which takes effect at the next start, or after a call of `ReloadConfig`.
    public func setPolicy(_ policy: String?) throws {
        try Self.write(
            Self.configuration(socket: "\(directory)/bus", policy ?? Self.openPolicy),
            to: "\(directory)/bus.conf")
    }

    /// Returns a policy that forbids only owning names with this prefix.
    public static func namePolicy(forbidding prefix: String) -> String {
        """
        \(openPolicy)
        <policy context="mandatory">
          <deny own_prefix="\(prefix)"/>
        </policy>
        """
    }

    /// Returns a policy that forbids only messages to this name.
    public static func policy(forbidding service: String) -> String {
        """
        \(openPolicy)
        <policy context="mandatory">
          <deny send_destination="\(service)"/>
        </policy>
        """
    }

    private static let openPolicy = """
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
        """

    private static func configuration(socket: String, _ policy: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          \(policy)
          <limit name="max_incoming_bytes">1000000000</limit>
          <limit name="max_outgoing_bytes">1000000000</limit>
          <limit name="max_message_size">134217728</limit>
          <limit name="max_replies_per_connection">50000</limit>
          <limit name="max_match_rules_per_connection">50000</limit>
        </busconfig>
        """
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(description: "\(path) cannot be written: \(errno)") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw Failure(description: "\(path) cannot be written: \(errno)")
        }
    }

    /// Creates a pipe that no other child process inherits.
    private static func makePipe() throws -> (readEnd: CInt, writeEnd: CInt) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "pipe failed: \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Reads a line with a number; nil after ten seconds.
    private static func readNumber(_ descriptor: CInt) -> pid_t? {
        var digits = ""
        while true {
            var entry = pollfd(fd: descriptor, events: CShort(POLLIN), revents: 0)
            var byte: UInt8 = 0
            guard poll(&entry, 1, 10_000) == 1, read(descriptor, &byte, 1) == 1 else { return nil }
            guard byte != UInt8(ascii: "\n") else { return pid_t(digits) }
            digits.unicodeScalars.append(Unicode.Scalar(byte))
        }
    }

    private static func spawn(_ arguments: [String], output: CInt) throws -> pid_t {
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        // Tests run on threads of a pool, which have all signals blocked.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let status = posix_spawnp(&process, arguments[0], &actions, &attributes, pointers, environ)
        guard status == 0 else {
            throw Failure(description: "dbus-daemon cannot be run: \(String(cString: strerror(status)))")
        }
        return process
    }
}
