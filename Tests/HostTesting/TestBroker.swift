import Glibc
import Synchronization

/// A real mosquitto on the loopback interface (or a Unix socket) for one test, without persistence.
public final class TestBroker: Sendable {
    /// The options of a broker.
    public struct Options: Sendable {
        /// The listen address.
        public var address = "127.0.0.1"
        /// The listen port; nil chooses a free one.
        public var port: UInt16?
        /// Whether the broker also listens on a Unix socket.
        public var hasUnixSocket = false
        /// User names with passwords; if there are any, a login is required.
        public var users: [String: String] = [:]
        /// The login that ``TestBroker/arguments`` contains; nil for none.
        public var login: (name: String, password: String)?
        /// The text of the access list; nil for none.
        public var accessList: String?
        /// The broker's certificate, which enables TLS; nil for none.
        public var identity: TestCertificates.Identity?
        /// The CA file for client certificates; nil if none are required.
        public var clientAuthorityFile: String?
        /// Further lines of the configuration.
        public var lines: [String] = []

        /// Creates options that allow everything to everyone.
        public init() {}
    }

    /// The listen port, which stays the same after a restart.
    public let port: UInt16
    /// The path of the Unix socket; nil if there is none.
    public let socketPath: String?
    private let options: Options
    private let directory: TemporaryDirectory
    private let process = Mutex<TestProcess?>(nil)

    /// Starts a broker and waits until it listens.
    public init(_ options: Options = Options()) throws {
        self.options = options
        directory = try TemporaryDirectory()
        socketPath = options.hasUnixSocket ? directory.file("mqtt.sock") : nil
        var attempts = 5
        while true {
            let port = try options.port ?? Self.freePort()
            do {
                let started = try Self.launch(options, port, socketPath, directory)
                self.port = port
                process.withLock { $0 = started }
                return
            } catch let failure as TestProcess.Failure where failure.description.contains(Self.portTaken) {
                // Another program may have taken the free port before the broker listens on it.
                attempts -= 1
                guard options.port == nil, attempts > 0 else { throw failure }
            }
        }
    }

    private static let portTaken = "Address already in use"

    /// Starts the broker again after its end, on the same port and without its earlier state.
    ///
    /// - Parameter users: New user names with passwords; nil to keep the previous ones.
    public func start(users: [String: String]? = nil) throws {
        var options = options
        options.users = users ?? options.users
        let started = try Self.launch(options, port, socketPath, directory)
        process.withLock { $0 = started }
    }

    private static func launch(
        _ options: Options, _ port: UInt16, _ socketPath: String?, _ directory: TemporaryDirectory
    ) throws -> TestProcess {
        let lines = try lines(options, port, socketPath, directory)
        let configuration = try directory.write(
            lines.joined(separator: "\n") + "\n", to: "mosquitto.conf")
        // A write beyond a file size limit has to fail like on a full disk, instead of killing the broker.
        let started = try TestProcess(
            ["env", "--ignore-signal=XFSZ", "mosquitto", "-c", configuration], hearsSignals: true)
        var said: [String] = []
        while let line = started.nextLine(within: .seconds(10)) {
            if line.contains(" running") { return started }
            said.append(line)
        }
        throw TestProcess.Failure(description: "mosquitto does not run: \(said.joined(separator: " | "))")
    }

    /// The process ID; nil while the broker is not running.
    public var pid: Int32? { process.withLock { $0?.pid } }

    /// Kills the broker (`SIGKILL`).
    public func kill() {
        process.withLock { _ = $0?.end(with: SIGKILL) }
    }

    /// Stops the broker cleanly (`SIGTERM`).
    public func stop() {
        process.withLock { process in
            process?.sendAlone(SIGTERM)
            _ = process?.end(with: nil)
        }
    }

    /// Freezes the broker (`SIGSTOP`): connections stay open without answers.
    public func freeze() {
        process.withLock { $0?.send(SIGSTOP) }
    }

    /// Continues the broker after `freeze`.
    public func thaw() {
        process.withLock { $0?.send(SIGCONT) }
    }

    /// The arguments with which `mosquitto_sub`, `mosquitto_pub` and `mosquitto_rr` connect to the broker.
    public var arguments: [String] {
        ["-h", options.address, "-p", "\(port)"]
            + (options.login.map { ["-u", $0.name, "-P", $0.password] } ?? [])
    }

    /// Returns a port without a listener.
    public static func freePort() throws -> UInt16 {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 ? getsockname(socket, $0, &size) : -1
            }
        }
        guard status == 0 else { throw TestProcess.Failure(description: "no free port") }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func lines(
        _ options: Options, _ port: UInt16, _ socketPath: String?, _ directory: TemporaryDirectory
    ) throws -> [String] {
        var lines = [
            "per_listener_settings false", "persistence false", "log_dest stderr", "log_type error",
            "log_type warning", "log_type information", "connection_messages false",
            "allow_anonymous \(options.users.isEmpty)",
        ]
        // Started by root, mosquitto would switch to a user that cannot read the test's files.
        if getuid() == 0 { lines.append("user root") }
        if !options.users.isEmpty {
            let file = try directory.write("", to: "passwords")
            chmod(file, 0o600)
            for (name, password) in options.users {
                try TestProcess.run(["mosquitto_passwd", "-b", file, name, password])
            }
            lines.append("password_file \(file)")
        }
        if let accessList = options.accessList {
            let file = try directory.write(accessList, to: "access")
            chmod(file, 0o600)
            lines.append("acl_file \(file)")
        }
        lines += options.lines
        lines.append("listener \(port) \(options.address)")
        if let identity = options.identity {
            lines += ["certfile \(identity.certificateFile)", "keyfile \(identity.keyFile)"]
        }
        if let file = options.clientAuthorityFile {
            lines += ["cafile \(file)", "require_certificate true"]
        }
        if let socketPath { lines.append("listener 0 \(socketPath)") }
        return lines
    }
}
