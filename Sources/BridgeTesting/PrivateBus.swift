public import DBus
public import Glibc

/// Runs a `dbus-daemon` of its own on a Unix socket in a temporary directory; nobody else's bus is touched.
///
/// The same address comes back after `stop` and `start`, so that tests can let a bus vanish and return.
public final class PrivateBus {
    /// Says why the daemon could not be started.
    public struct Failure: Error, CustomStringConvertible {
        /// What went wrong.
        public let description: String
    }

    /// Where to connect to.
    public let address: Address
    /// The daemon's process; 0 while it is stopped.
    public private(set) var process: pid_t = 0
    private let directory: String

    /// Prepares a bus and starts it.
    public init() throws {
        var template = Array("/tmp/private-bus-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else { throw Failure(description: "mkdtemp failed: \(errno)") }
        directory = String(cString: path)
        address = .explicit("unix:path=\(directory)/bus")
        try Self.write(Self.configuration(socket: "\(directory)/bus"), to: "\(directory)/bus.conf")
        try start()
    }

    deinit {
        stop()
        for name in ["bus", "bus.conf"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }

    /// Starts the daemon and waits until it listens.
    public func start() throws {
        guard process == 0 else { return }
        unlink("\(directory)/bus")
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(description: "pipe failed: \(errno)") }
        defer { close(ends[0]) }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        process = try Self.spawn([
            "dbus-daemon", "--config-file=\(directory)/bus.conf", "--nofork", "--nopidfile",
            "--print-address=\(ends[1])",
        ])
        close(ends[1])
        // It prints its address when it listens.
        var entry = pollfd(fd: ends[0], events: CShort(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&entry, 1, 10_000) == 1, read(ends[0], &byte, 1) == 1 else {
            stop()
            throw Failure(description: "dbus-daemon did not start")
        }
    }

    /// Ends the daemon at once, as a crash would; every connection is lost.
    public func stop() {
        guard process != 0 else { return }
        kill(process, SIGKILL)
        while waitpid(process, nil, 0) < 0 && errno == EINTR {}
        process = 0
    }

    /// Halts the daemon without ending it, so that nothing is answered, or lets it go on.
    public func setHalted(_ isHalted: Bool) {
        guard process != 0 else { return }
        kill(process, isHalted ? SIGSTOP : SIGCONT)
    }

    /// Everything is allowed, as on the bus of a session.
    private static func configuration(socket: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(socket)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
          <limit name="max_incoming_bytes">1000000000</limit>
          <limit name="max_outgoing_bytes">1000000000</limit>
          <limit name="max_message_size">134217728</limit>
          <limit name="max_replies_per_connection">50000</limit>
          <limit name="max_match_rules_per_connection">50000</limit>
        </busconfig>
        """
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(description: "\(path) cannot be written: \(errno)") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw Failure(description: "\(path) cannot be written: \(errno)")
        }
    }

    private static func spawn(_ arguments: [String]) throws -> pid_t {
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, arguments[0], nil, nil, pointers, environ)
        guard status == 0 else {
            throw Failure(description: "dbus-daemon cannot be run: \(String(cString: strerror(status)))")
        }
        return process
    }
}
