import Dispatch
import Glibc
import HostServices

/// A private message bus of the simulator, on a Unix socket in its own directory.
///
/// A shell starts the daemon and reads from a pipe of this process. When this process exits for any reason, the pipe
/// closes. The shell then stops the daemon and removes the directory.
final class OwnBus {
    /// The reason why the bus cannot be started.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let address: String
    private let shell: pid_t
    private let life: CInt

    private static let script = """
        dbus-daemon --config-file="$1/bus.conf" --nofork --nopidfile --print-address </dev/null 2>"$1/log" &
        daemon=$!
        exec >&-
        read -r line
        kill -KILL "$daemon" 2>/dev/null
        rm -f "$1/bus" "$1/bus.conf" "$1/log"
        rmdir "$1"
        """

    /// Starts the daemon and waits until it listens.
    ///
    /// - Parameter ended: Called when the daemon has exited, on any thread.
    init(ended: @escaping @Sendable () -> Void) throws(Failure) {
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(place)/tactile-simulator-XXXXXX".utf8CString)
        guard let path = mkdtemp(&template) else {
            throw Failure(
                description: "a private bus cannot be created in \(place): \(Self.reason(errno))")
        }
        let directory = String(cString: path)
        address = "unix:path=\(directory)/bus"
        do {
            try FileAccess.replace(
                "\(directory)/bus.conf",
                with: Array(Self.configuration(socket: "\(directory)/bus").utf8), mode: 0o600)
        } catch {
            throw Failure(description: "\(error)")
        }
        let (lifeEnd, life) = try Self.makePipe()
        let (said, saidEnd) = try Self.makePipe()
        self.life = life
        let command = ["/bin/sh", "-c", Self.script, "tactile-simulator-bus", directory]
        shell = try Self.spawn(command, input: lifeEnd, output: saidEnd)
        close(lifeEnd)
        close(saidEnd)
        guard Self.hears(said) else {
            let log =
                (try? FileAccess.read("\(directory)/log")).map { String(decoding: $0, as: UTF8.self) } ?? ""
            close(said)
            stop()
            throw Failure(
                description:
                    "dbus-daemon did not start; is it installed (Debian: apt install dbus-daemon)? \(log)")
        }
        // The daemon keeps its end of this pipe open until it exits.
        DispatchQueue(label: "private-bus").async {
            while Self.hears(said) {}
            close(said)
            ended()
        }
    }

    /// Stops the daemon and waits until the shell has removed the directory.
    func stop() {
        close(life)
        while waitpid(shell, nil, 0) < 0 && errno == EINTR {}
    }

    /// Waits for input; returns false at the end of the input.
    private static func hears(_ descriptor: CInt) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }

    private static func makePipe() throws(Failure) -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(description: "a pipe cannot be created: \(reason(errno))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Starts a program in a separate process group, so that a Ctrl-C in the terminal does not reach it. All signals
    /// have their default handlers and are unblocked.
    private static func spawn(
        _ arguments: [String], input: CInt, output: CInt
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, CShort(flags))
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        pointers.append(nil)
        defer { for pointer in pointers { free(pointer) } }
        var process: pid_t = 0
        let status = posix_spawnp(&process, arguments[0], &actions, &attributes, pointers, environ)
        guard status == 0 else {
            throw Failure(description: "the private bus cannot be started: \(reason(status))")
        }
        return process
    }

    private static func reason(_ number: CInt) -> String { String(cString: strerror(number)) }

    /// Returns the configuration of the bus. The user who runs the simulator has full access, as on a session bus.
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
        </busconfig>
        """
    }
}
